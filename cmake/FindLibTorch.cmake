# Finds the torch package that people have (PyPI's), without its own CMake files:
# those demand a CUDA toolkit and a GPU even for a CPU build.
#
# Order: -DGSAN_TORCH / environment GSAN_TORCH (a .../site-packages/torch folder), under pip the torch
# of the Python that installs, the torch of the active python3, the repository's .venv.
#
# Defines LibTorch::cpu and, for a torch with CUDA, LibTorch::cuda; sets LibTorch_VERSION.

set(GSAN_TORCH "$ENV{GSAN_TORCH}" CACHE PATH "The torch package folder (…/site-packages/torch)")

function(_gsan_ask_python python result)
  execute_process(
    COMMAND "${python}" -c "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(${result} "${folder}" PARENT_SCOPE)
  endif()
endfunction()

if(GSAN_TORCH)
  set(_torch "${GSAN_TORCH}")
  set(_why "GSAN_TORCH is set")
elseif(SKBUILD)
  _gsan_ask_python("${Python_EXECUTABLE}" _torch)
  set(_why "${Python_EXECUTABLE}, for which the package is built, imports it")
else()
  find_program(_gsan_python3 python3 NO_CACHE)
  if(_gsan_python3)
    _gsan_ask_python("${_gsan_python3}" _torch)
    set(_why "the active python3 (${_gsan_python3}) imports it")
  endif()
  if(NOT _torch AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/.venv/bin/python3")
    _gsan_ask_python("${CMAKE_CURRENT_SOURCE_DIR}/.venv/bin/python3" _torch)
    set(_why "it is in the repository's .venv")
  endif()
endif()

if(_torch AND EXISTS "${_torch}/version.py")
  file(STRINGS "${_torch}/version.py" _line REGEX "^__version__")
  string(REGEX REPLACE ".*'([^']+)'.*" "\\1" LibTorch_VERSION "${_line}")
endif()

if(SKBUILD)
  set(_missing "${Python_EXECUTABLE} imports no torch, for which the package would be compiled: pip install torch, then pip install --no-build-isolation .")
else()
  set(_missing "no torch package: run ./quickstart.sh, or pip install torch, or set GSAN_TORCH=/path/to/site-packages/torch")
endif()
include(FindPackageHandleStandardArgs)
set(LibTorch_LIBRARY "${_torch}/lib/libtorch_cpu.so")
if(NOT EXISTS "${LibTorch_LIBRARY}")
  unset(LibTorch_LIBRARY)
endif()
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_LIBRARY VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${_missing}")

if(LibTorch_FOUND AND NOT TARGET LibTorch::cpu)
  message(STATUS "torch ${LibTorch_VERSION} at ${_torch}, because ${_why}")
  set(LibTorch_FOLDER "${_torch}")
  add_library(LibTorch::cpu INTERFACE IMPORTED)
  target_include_directories(LibTorch::cpu SYSTEM INTERFACE
    "${_torch}/include" "${_torch}/include/torch/csrc/api/include")
  # at::parallel_for is serial without -fopenmp. Its runtime is the libgomp inside the
  # package, linked by name and first in the rpath: one OpenMP runtime per process.
  file(GLOB _gomp "${_torch}/lib/libgomp*.so*")
  target_compile_options(LibTorch::cpu INTERFACE -fopenmp)
  target_link_libraries(LibTorch::cpu INTERFACE
    "${_torch}/lib/libtorch_cpu.so" "${_torch}/lib/libc10.so" ${_gomp})
  target_link_options(LibTorch::cpu INTERFACE "-Wl,--allow-shlib-undefined")
  if(NOT SKBUILD)  # in a wheel, torch is the one that Python has loaded before
    target_link_options(LibTorch::cpu INTERFACE "-Wl,-rpath,${_torch}/lib")
  endif()
  if(EXISTS "${_torch}/lib/libtorch_cuda.so")
    add_library(LibTorch::cuda INTERFACE IMPORTED)
    target_link_libraries(LibTorch::cuda INTERFACE LibTorch::cpu
      "${_torch}/lib/libtorch_cuda.so" "${_torch}/lib/libc10_cuda.so")
  endif()
endif()
