# cmake --install: library, headers, program, scenes, and a package that find_package(horde) finds.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/horde)

install(TARGETS horde EXPORT horde-targets)
install(EXPORT horde-targets NAMESPACE horde:: DESTINATION ${package_dir})
install(DIRECTORY include/horde DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/horde)
if(TARGET horde_program)
  install(TARGETS horde_program)
endif()

configure_package_config_file(cmake/horde-config.cmake.in ${PROJECT_BINARY_DIR}/horde-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/horde-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/horde-config.cmake ${PROJECT_BINARY_DIR}/horde-config-version.cmake
        DESTINATION ${package_dir})
