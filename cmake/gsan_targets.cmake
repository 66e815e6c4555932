# One function per kind of target, so that a folder's CMakeLists.txt is a list of
# files and of the folders it may include.

# With GSAN_UNITY the sources of a target are compiled in groups (unity_groups.py): torch's headers cost every
# compiler run two to three seconds, whatever it compiles.
function(gsan_unity target)
  if(NOT GSAN_UNITY)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_target_property(all ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(sources)
  foreach(source ${all})
    if(source MATCHES "\\.cpp$" AND NOT source MATCHES "\\$<" AND NOT IS_ABSOLUTE "${source}")
      list(APPEND sources "${folder}/${source}")
    endif()
  endforeach()
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/unity_groups.py" 12 ${sources}
    OUTPUT_VARIABLE numbers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" numbers "${numbers}")
  foreach(source number IN ZIP_LISTS sources numbers)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "group_${number}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What is private to one source is not private to a group.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

# gsan_torch(TARGET HEADER): torch's headers, compiled once (gsan/CMakeLists.txt). With the header `cold`, for code that
# waits for others (files, tables, tests), the target is optimised less: compiling it takes a third less time.
function(gsan_torch target header)
  if(header STREQUAL cold)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_precompile_headers(${target} REUSE_FROM gsan_torch_header_${header})
endfunction()

# gsan_library(NAME SOURCES … LINKS …): the library of one folder. LINKS is that
# folder's row of the include table (DESIGN: who may include whom).
function(gsan_library name)
  cmake_parse_arguments(arg "" "TORCH" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(gsan_${name} SHARED ${arg_SOURCES})
  add_library(gsan::${name} ALIAS gsan_${name})
  target_include_directories(gsan_${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include>")
  target_compile_features(gsan_${name} PUBLIC cxx_std_20)
  target_link_libraries(gsan_${name} PUBLIC ${arg_LINKS} PRIVATE gsan_warnings ${arg_PRIVATE_LINKS})
  if(arg_TORCH)
    gsan_torch(gsan_${name} ${arg_TORCH})
  endif()
  gsan_unity(gsan_${name})
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
    gsan_torch(${name} cold)
  endif()
  gsan_unity(${name})
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  # A fixed seed: the properties are tried on the same complexes every time. Threads that wait give their
  # core to the other tests. Without AMX: main.cpp of the command says why.
  set_tests_properties(${name} PROPERTIES LABELS "${name}" TIMEOUT 600 ENVIRONMENT "RC_PARAMS=seed=1;OMP_WAIT_POLICY=passive;ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16")
endfunction()
