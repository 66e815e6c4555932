# cmake -DBINARY=… -P one_openmp_runtime.cmake: exactly one OpenMP runtime is loaded. Two of
# them keep two thread pools, which fight for the cores.
execute_process(COMMAND ldd "${BINARY}" OUTPUT_VARIABLE libraries RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "ldd ${BINARY} failed with ${status}")
endif()
string(REGEX MATCHALL "[^\n]*lib[gi]?omp[^\n]*" runtimes "${libraries}")
list(LENGTH runtimes count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${BINARY} loads ${count} OpenMP runtimes, expected one:\n${runtimes}")
endif()
if(NOT runtimes MATCHES "${TORCH}/")
  message(FATAL_ERROR "${BINARY} loads another OpenMP runtime than torch (${TORCH}):\n${runtimes}")
endif()
