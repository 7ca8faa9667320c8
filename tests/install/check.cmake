# Installs the build tree BUILD under itself, builds the project beside this file against it and runs both.
function(run_step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${output}")
  endif()
endfunction()

set(prefix ${BUILD}/tests/install/prefix)
set(stranger ${BUILD}/tests/install/stranger)
file(REMOVE_RECURSE ${prefix} ${stranger})

run_step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run_step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${stranger} -G ${GENERATOR}
         -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX})
run_step(${CMAKE_COMMAND} --build ${stranger})
run_step(${stranger}/stranger)

foreach(file bin/horde include/horde/field.h share/horde/scenes/city.toml)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "the install lacks ${file}")
  endif()
endforeach()
run_step(${prefix}/bin/horde info)
