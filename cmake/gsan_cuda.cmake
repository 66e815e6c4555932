# Decides whether CUDA kernels are built, GSAN_WITH_CUDA, and for which GPUs.
#
#   GSAN_CUDA=AUTO  where nvcc, a torch with CUDA and a GPU are found, for that GPU
#   GSAN_CUDA=ON    for packages: the architectures of the torch at hand as far as nvcc knows them, and PTX of
#                   the newest, which a later GPU compiles when it starts
#   GSAN_CUDA=OFF   --device cuda is refused
#
# CMAKE_CUDA_ARCHITECTURES, where it is set, is left as it is.

set(GSAN_WITH_CUDA OFF)
if(NOT GSAN_WITH_TORCH OR NOT GSAN_CUDA)
  return()
endif()

find_program(GSAN_NVCC nvcc HINTS ENV CUDACXX PATHS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)

# The compute capability of every GPU here, as 90; nothing without one.
function(_gsan_gpus_here result)
  find_program(nvidia_smi nvidia-smi NO_CACHE)
  set(numbers)
  if(nvidia_smi)
    execute_process(COMMAND "${nvidia_smi}" --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" found "${capabilities}")
      foreach(one ${found})
        string(REPLACE "." "" one "${one}")
        list(APPEND numbers ${one})
      endforeach()
      list(REMOVE_DUPLICATES numbers)
    endif()
  endif()
  set(${result} "${numbers}" PARENT_SCOPE)
endfunction()

# The architectures that both torch and nvcc know, the last one also as PTX.
function(_gsan_package_architectures result)
  get_filename_component(site "${LibTorch_FOLDER}" DIRECTORY)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "PYTHONPATH=${site}" "${Python3_EXECUTABLE}" -c
      "import torch; print(torch._C._cuda_getArchFlags())"
    OUTPUT_VARIABLE of_torch ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND "${GSAN_NVCC}" --list-gpu-arch OUTPUT_VARIABLE of_nvcc ERROR_QUIET)
  string(REGEX MATCHALL "sm_[0-9]+" of_torch "${of_torch}")
  set(real)
  foreach(one ${of_torch})
    string(REPLACE "sm_" "" one "${one}")
    if(of_nvcc MATCHES "compute_${one}\n")
      list(APPEND real ${one})
    endif()
  endforeach()
  if(NOT real)
    set(real 80 90)
  endif()
  list(GET real -1 newest)
  list(TRANSFORM real APPEND -real)
  set(${result} "${real};${newest}-virtual" PARENT_SCOPE)
endfunction()

# The first number of the CUDA version of torch (2.11.0+cu130: 13) and of nvcc; 0 where they do not say.
function(_gsan_cuda_versions of_torch of_nvcc)
  set(${of_torch} 0 PARENT_SCOPE)
  set(${of_nvcc} 0 PARENT_SCOPE)
  if(LibTorch_VERSION MATCHES "\\+cu([0-9]+)[0-9]$")
    set(${of_torch} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
  execute_process(COMMAND "${GSAN_NVCC}" --version OUTPUT_VARIABLE text ERROR_QUIET)
  if(text MATCHES "release ([0-9]+)\\.")
    set(${of_nvcc} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

_gsan_gpus_here(_here)
set(_lacking)
if(GSAN_NVCC)
  _gsan_cuda_versions(_torch_cuda _nvcc_cuda)
  execute_process(COMMAND "${GSAN_NVCC}" --list-gpu-arch OUTPUT_VARIABLE _known ERROR_QUIET)
endif()
if(NOT GSAN_NVCC)
  set(_lacking "nvcc")
elseif(NOT TARGET LibTorch::cuda)
  set(_lacking "torch with CUDA (this one is for CPUs)")
elseif(_torch_cuda AND _nvcc_cuda AND NOT _torch_cuda EQUAL _nvcc_cuda)
  set(_lacking "nvcc of CUDA ${_torch_cuda}, that of torch (this one is of CUDA ${_nvcc_cuda})")
elseif(GSAN_CUDA STREQUAL AUTO AND _here AND NOT CMAKE_CUDA_ARCHITECTURES AND NOT _known MATCHES "compute_${_here}\n")
  set(_lacking "nvcc that knows this GPU (compute capability ${_here})")
elseif(GSAN_CUDA STREQUAL AUTO AND NOT _here AND NOT CMAKE_CUDA_ARCHITECTURES)
  set(_lacking "GPU here")
endif()
if(_lacking)
  if(NOT GSAN_CUDA STREQUAL AUTO)
    message(FATAL_ERROR "GSAN_CUDA=${GSAN_CUDA} needs ${_lacking}; install it, or configure with -DGSAN_CUDA=OFF")
  endif()
  message(STATUS "No CUDA kernels: there is no ${_lacking} (-DGSAN_CUDA=ON builds them for other machines)")
  return()
endif()

if(NOT CMAKE_CUDA_ARCHITECTURES)
  if(GSAN_CUDA STREQUAL AUTO)
    set(CMAKE_CUDA_ARCHITECTURES "${_here}")
  else()
    _gsan_package_architectures(CMAKE_CUDA_ARCHITECTURES)
  endif()
endif()
set(CMAKE_CUDA_COMPILER "${GSAN_NVCC}")
if(GSAN_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${GSAN_CCACHE}")
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # that of torch: one runtime in the process
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
message(STATUS "CUDA kernels for ${CMAKE_CUDA_ARCHITECTURES}, by ${GSAN_NVCC}")
set(GSAN_WITH_CUDA ON)
