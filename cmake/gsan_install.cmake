# cmake --install: headers, libraries and a package that exports gsan::gsan.

include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY GSAN_LIBRARIES)
add_library(gsan_all INTERFACE)
add_library(gsan::gsan ALIAS gsan_all)
set_target_properties(gsan_all PROPERTIES EXPORT_NAME gsan)
target_link_libraries(gsan_all INTERFACE ${libraries})

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gsan")
install(TARGETS ${libraries} gsan_all EXPORT gsan_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET gsan_command)
  install(TARGETS gsan_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/gsan" DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def"
  # private headers, and the backends behind the ops
  REGEX "/(detail|ops/cpu|ops/cuda|ops/composite|ops/autograd)$" EXCLUDE)
# To read; the library contains them.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/recipes" DESTINATION "${CMAKE_INSTALL_DATADIR}/gsan")
install(EXPORT gsan_targets NAMESPACE gsan:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gsan-config.cmake.in"
  "${PROJECT_BINARY_DIR}/gsan-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gsan-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gsan-config.cmake" "${PROJECT_BINARY_DIR}/gsan-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindLibTorch.cmake" "${PROJECT_SOURCE_DIR}/cmake/gsan_shared_stdcxx.cmake"
  DESTINATION "${package_dir}")
