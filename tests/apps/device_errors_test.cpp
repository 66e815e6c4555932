// Errors of GPUs, in the words that torch has for them, become sentences with what to do.

#include "apps/gsan/console/device_errors.h"

#include <fstream>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include <c10/util/Exception.h>

#include "apps/gsan/console/out_of_memory.h"
#include "support/temporary_folder.h"

namespace gsan::app {
namespace {

// What catch (const std::exception&) sees of such an error.
template <class Error>
Error thrown(const char* text) {
  return Error(c10::SourceLocation{__func__, __FILE__, __LINE__}, text);
}

void expect_says(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

std::string device_text(const char* text) {
  const auto found = device_error_text(thrown<c10::Error>(text));
  EXPECT_TRUE(found) << text;
  return found.value_or("");
}

TEST(DeviceErrors, ABuildWithoutCudaIsNamed) {
  expect_says(
      device_text("Cannot initialize CUDA without ATen_cuda library. PyTorch splits its backend into two "
                  "shared libraries: a CPU library and a CUDA library; ..."),
      {"built without CUDA", "-DGSAN_CUDA=ON", "--device cpu"});
  expect_says(device_text("PyTorch is not linked with support for cuda devices"), {"built without CUDA"});
}

TEST(DeviceErrors, AMachineWithoutGpuOrDriverIsNamed) {
  expect_says(device_text("No CUDA GPUs are available"), {"no GPU", "CUDA_VISIBLE_DEVICES", "--device cpu"});
  expect_says(
      device_text("Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and "
                  "installed a driver from http://www.nvidia.com/Download/index.aspx"),
      {"no NVIDIA driver", "--device cpu"});
}

TEST(DeviceErrors, AnOldDriverIsNamedWithItsVersion) {
  expect_says(
      device_text("The NVIDIA driver on your system is too old (found version 12040). Please update your "
                  "GPU driver by downloading and installing a new version from the URL: ..."),
      {"driver", "CUDA 12.4", "torch " GSAN_TORCH_VERSION, "update the driver"});
  const std::string unknown = device_text(
      "CUDA error: CUDA driver version is insufficient for CUDA runtime version\nSearch for "
      "`cudaErrorInsufficientDriver' in ...");
  expect_says(unknown, {"older than the CUDA"});
  EXPECT_EQ(unknown.find("it supports"), std::string::npos);
}

TEST(DeviceErrors, KernelsOfAnotherArchitectureAreNamed) {
  const auto error = thrown<c10::Error>(
      "CUDA error: no kernel image is available for execution on the device\nSearch for "
      "`cudaErrorNoKernelImageForDevice' in https://docs.nvidia.com/cuda/cuda-runtime-api/ for more "
      "information.\n");
  expect_says(device_error_text(error).value_or(""),
              {"no kernels for this GPU", "-DCMAKE_CUDA_ARCHITECTURES="});
}

TEST(DeviceErrors, OtherErrorsAreLeftAlone) {
  EXPECT_FALSE(device_error_text(std::runtime_error("vector::_M_range_check")));
  EXPECT_FALSE(device_error_text(thrown<c10::Error>("CUDA error: an illegal memory access was encountered")));
}

TEST(OutOfMemory, OfAGpuSaysWhatWasAskedForAndWhatWasFree) {
  const auto error = thrown<c10::OutOfMemoryError>(
      "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 1 has a total capacity of 139.80 GiB of which "
      "12.34 GiB "
      "is free. Including non-PyTorch memory, this process has 3.00 GiB memory in use. Of the allocated "
      "memory ...");
  ASSERT_TRUE(is_out_of_memory(error));
  expect_says(
      out_of_memory_text(error, "training runs/a"),
      {"out of memory on cuda:1 while training runs/a: there is no room for 20.00 GiB more, 12.34 GiB of its "
       "139.80 GiB are free; "});
  expect_says(out_of_memory_text(error), {"train.recompute=true", "nvidia-smi"});
}

TEST(OutOfMemory, NamesTheLayer) {
  const auto error = thrown<c10::OutOfMemoryError>(
      "layer 2 of 3: CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139.80 "
      "GiB of "
      "which 12.34 GiB is free. ");
  expect_says(out_of_memory_text(error, "training runs/a"),
              {"out of memory on cuda:0 in layer 2 of 3 while training runs/a", "20.00 GiB"});
}

TEST(OutOfMemory, OfLibrariesOfTheGpuNamesTheGpu) {
  const auto error =
      thrown<c10::Error>("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`");
  ASSERT_TRUE(is_out_of_memory(error));
  expect_says(out_of_memory_text(error), {"out of memory on the GPU; ", "nvidia-smi"});
}

TEST(OutOfMemory, OfTheMachineSaysNothingOfGpus) {
  const auto error = thrown<c10::Error>(
      "[enforce fail at alloc_cpu.cpp:121] err == 0. DefaultCPUAllocator: can't allocate memory: you tried "
      "to allocate "
      "800000000000 bytes. Error code 12 (Cannot allocate memory)");
  ASSERT_TRUE(is_out_of_memory(error));
  const std::string text = out_of_memory_text(error);
  expect_says(text, {"out of memory: there is no room for 800000000000 bytes more; ", "--max-memory"});
  EXPECT_EQ(text.find("GPU"), std::string::npos) << text;
  EXPECT_TRUE(is_out_of_memory(std::bad_alloc()));
  EXPECT_FALSE(is_out_of_memory(std::runtime_error("out of memory")));
}

TEST(OutOfMemory, ARunWithACheckpointCanBeResumed) {
  const TemporaryFolder folder;
  EXPECT_EQ(resume_text(folder.path() / "run"), "");
  std::filesystem::create_directories(folder.path() / "run/checkpoints");
  std::ofstream(folder.path() / "run/checkpoints/last.safetensors") << "weights";
  expect_says(resume_text(folder.path() / "run"), {"gsan train --resume", "/run"});
}

}  // namespace
}  // namespace gsan::app
