# Compiler, warnings, faster builds.

add_library(gsan_warnings INTERFACE)
target_compile_options(gsan_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${GSAN_UNITY}>>:-Wshadow> -Wnon-virtual-dtor
  -Wno-unused-parameter $<$<BOOL:${GSAN_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # False alarms of GCC 12 and 13: in std::string (GCC bug 105651), and inside std::vector<bool>, which
  # torch's autograd headers reserve.
  target_compile_options(gsan_warnings INTERFACE -Wno-restrict)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(gsan_warnings INTERFACE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endif()

include(gsan_shared_stdcxx)
gsan_find_shared_stdcxx(GSAN_SHARED_STDCXX)
if(GSAN_SHARED_STDCXX)
  string(APPEND CMAKE_CXX_STANDARD_LIBRARIES " ${GSAN_SHARED_STDCXX}")
endif()

find_program(GSAN_CCACHE ccache)
if(GSAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache's manual asks for with precompiled headers; paths below the repository are
  # compared relative to the build folder, so that clones of it share what was compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${GSAN_CCACHE}")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
find_program(GSAN_MOLD mold)
if(GSAN_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
