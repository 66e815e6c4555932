# One C++ library per process. A compiler that was unpacked beside the system's may bring libstdc++.a alone; linked
# into a program it would meet the libstdc++.so.6 of Python and torch, and streams of the two would crash each other.
# The shared library that programs load anyway must then come first. Used by gsan's own build and, installed with the
# package, by the programs that find it.

# gsan_find_shared_stdcxx(RESULT): the path of libstdc++.so.6 where the compiler names it but no libstdc++.so, which
# is what the linker looks for; empty where there is nothing to do.
function(gsan_find_shared_stdcxx result)
  set(${result} "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  foreach(name libstdc++.so libstdc++.so.6)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${name}
      OUTPUT_VARIABLE "path_${name}" OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endforeach()
  if(NOT IS_ABSOLUTE "${path_libstdc++.so}" AND IS_ABSOLUTE "${path_libstdc++.so.6}")
    message(STATUS "${CMAKE_CXX_COMPILER} has no shared libstdc++: linking ${path_libstdc++.so.6}")
    set(${result} "${path_libstdc++.so.6}" PARENT_SCOPE)
  endif()
endfunction()
