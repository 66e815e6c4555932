#include "apps/gsan/console/device.h"

#include <cstdlib>

#include <ATen/Context.h>
#include <torch/cuda.h>

#include "gsan/core/check.h"

#include "apps/gsan/console/device_errors.h"

namespace gsan::app {
namespace {

torch::Device parsed(const std::string& name) {
  try {
    const torch::Device device(name);
    if (device.is_cpu() || device.is_cuda()) return device;
  } catch (const c10::Error&) {  // the sentence below says more
  }
  fail(Fault::argument, "--device: '", name, "' names no device; use cpu, cuda or cuda:N");
}

}  // namespace

torch::Device open_device(const std::string& name) {
  const torch::Device device = parsed(name);
  if (device.is_cpu()) return device;
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  // torch adds the gradients of rows that are read several times (index_select) in any order unless it is
  // told not to. Memory that is written before it is read needs no filling.
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
  at::globalContext().setDeterministicFillUninitializedMemory(false);
  try {
    at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
  } catch (const c10::Error& error) {
    const std::optional<std::string> text = device_error_text(error);
    fail(Fault::argument, "--device: '", name, "' cannot be used: ",
         text ? *text : concat(error.what_without_backtrace(), "; --device cpu computes on the processor"));
  }
  const int count = torch::cuda::device_count();
  const int index = device.has_index() ? device.index() : 0;
  GSAN_CHECK(index < count, "--device: '", name, "' does not exist; this machine has ", count,
             count == 1 ? " GPU, cuda:0" : concat(" GPUs, cuda:0 ... cuda:", count - 1));
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(index)};
}

std::string device_of_rank(const std::string& name, int local_rank) {
  if (name != "cuda") return name;
  const int count = torch::cuda::device_count();
  return count > 1 ? concat(name, ":", local_rank % count) : name;
}

void synchronize(torch::Device device) {
  if (device.is_cuda()) torch::cuda::synchronize(device.index());
}

}  // namespace gsan::app
