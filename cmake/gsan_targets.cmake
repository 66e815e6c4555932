# One function per kind of target, so that a folder's CMakeLists.txt is a list of
# files and of the folders it may include.

# gsan_library(NAME SOURCES … LINKS …): the library of one folder. LINKS is that
# folder's row of the include table (DESIGN: who may include whom).
function(gsan_library name)
  cmake_parse_arguments(arg "TORCH" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(gsan_${name} SHARED ${arg_SOURCES})
  add_library(gsan::${name} ALIAS gsan_${name})
  target_include_directories(gsan_${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include>")
  target_compile_features(gsan_${name} PUBLIC cxx_std_20)
  target_link_libraries(gsan_${name} PUBLIC ${arg_LINKS} PRIVATE gsan_warnings ${arg_PRIVATE_LINKS})
  if(arg_TORCH)
    target_precompile_headers(gsan_${name} REUSE_FROM gsan_torch_header)
  endif()
  set_target_properties(gsan_${name} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  set_property(GLOBAL APPEND PROPERTY GSAN_LIBRARIES gsan_${name})
endfunction()

# gsan_test(NAME SOURCES … LINKS …): one executable and one CTest entry per folder.
# (One entry, not one per case: loading torch costs more than most cases.)
function(gsan_test name)
  cmake_parse_arguments(arg "TORCH" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} gsan_warnings GTest::gtest_main)
  if(TARGET rapidcheck)
    target_link_libraries(${name} PRIVATE rapidcheck)
    target_compile_definitions(${name} PRIVATE GSAN_HAVE_RAPIDCHECK)
  else()
    target_compile_options(${name} PRIVATE -Wno-unused-function)  # helpers of the properties left out
  endif()
  if(arg_TORCH)
    target_precompile_headers(${name} REUSE_FROM gsan_torch_header)
  endif()
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  # A fixed seed: the properties are tried on the same complexes every time. Threads that wait give their
  # core to the other tests.
  set_tests_properties(${name} PROPERTIES LABELS "${name}" TIMEOUT 600 ENVIRONMENT "RC_PARAMS=seed=1;OMP_WAIT_POLICY=passive")
endfunction()
