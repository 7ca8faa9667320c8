# What every target of horde is compiled with. Nothing here leaves the build tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
if(NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()

find_program(HORDE_CCACHE ccache)
if(HORDE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HORDE_CCACHE})
endif()

# A fused multiply-add rounds once where the promise of one hash says twice. errno is nobody's business here,
# and without it a square root is one instruction that the compiler may vectorise; the value is the same.
add_compile_options(-ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
  # g++ 12 warns of an overlap of 2^63 bytes inside std::string when a literal is joined to a string
  # (gcc.gnu.org/PR105651, gone in 13).
  add_compile_options(-Wno-restrict)
endif()
if(HORDE_WERROR)
  add_compile_options(-Werror)
endif()
if(HORDE_SANITIZE)
  add_compile_options(-fsanitize=${HORDE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HORDE_SANITIZE})
endif()
