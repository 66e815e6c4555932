# Compiler, warnings, faster builds.

add_library(gsan_warnings INTERFACE)
target_compile_options(gsan_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Wno-unused-parameter $<$<BOOL:${GSAN_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # False alarms of GCC 12 and 13: in std::string (GCC bug 105651), and inside std::vector<bool>, which
  # torch's autograd headers reserve.
  target_compile_options(gsan_warnings INTERFACE -Wno-restrict)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(gsan_warnings INTERFACE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endif()

# One C++ library per process. A compiler that was unpacked beside the system's may bring libstdc++.a alone; linked
# into ours it would meet the libstdc++.so.6 of Python and torch, and streams of the two would crash each other.
# The shared library that programs load anyway then comes first.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  foreach(name libstdc++.so libstdc++.so.6)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${name}
      OUTPUT_VARIABLE GSAN_${name} OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endforeach()
  if(NOT IS_ABSOLUTE "${GSAN_libstdc++.so}" AND IS_ABSOLUTE "${GSAN_libstdc++.so.6}")
    message(STATUS "${CMAKE_CXX_COMPILER} has no shared libstdc++: linking ${GSAN_libstdc++.so.6}")
    string(APPEND CMAKE_CXX_STANDARD_LIBRARIES " ${GSAN_libstdc++.so.6}")
  endif()
endif()

find_program(GSAN_CCACHE ccache)
if(GSAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache's manual asks for with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${GSAN_CCACHE}")
  add_compile_options(-fpch-preprocess)
endif()
find_program(GSAN_MOLD mold)
if(GSAN_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
