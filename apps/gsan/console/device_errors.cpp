#include "apps/gsan/console/device_errors.h"

#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "gsan/core/check.h"

#include "apps/gsan/console/gpu_facts.h"

namespace gsan::app {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (text.find(part) != std::string_view::npos) return true;
  return false;
}

// "12.4" of "… too old (found version 12040) …"; empty: it does not say.
std::string driver_version(std::string_view text) {
  constexpr std::string_view before = "found version ";
  const auto at = text.find(before);
  if (at == std::string_view::npos) return "";
  const int number = std::atoi(std::string(text.substr(at + before.size(), 8)).c_str());
  return number > 0 ? concat(number / 1000, ".", number % 1000 / 10) : "";
}

std::string old_driver(std::string_view text) {
  const std::string version = driver_version(text);
  return concat("the driver of the GPU is older than the CUDA that torch ", GSAN_TORCH_VERSION,
                " was built with", version.empty() ? "" : concat(" (it supports CUDA ", version, ")"),
                "; update the driver, or build gsan with a torch for an older CUDA (docs/gpu.md)");
}

std::string no_kernels() {
  const std::optional<GpuFacts> gpu = gpu_facts(0);
  if (!gpu)
    return "gsan or torch has no kernels for this GPU; configure gsan with "
           "-DCMAKE_CUDA_ARCHITECTURES=native on this machine and build it again (docs/gpu.md)";
  return concat("gsan or torch has no kernels for this GPU (", gpu->name, ", compute capability ", gpu->major,
                ".", gpu->minor, "); configure gsan with -DCMAKE_CUDA_ARCHITECTURES=", gpu->major, gpu->minor,
                " and build it again (docs/gpu.md)");
}

}  // namespace

std::optional<std::string> device_error_text(const std::exception& error) {
  const std::string_view text = error.what();
  if (has_any(text, {"without ATen_cuda library", "not linked with support for cuda",
                     "arguments from the 'CUDA' backend"}))
    return "this gsan was built without CUDA; build it with -DGSAN_CUDA=ON and a torch that has CUDA "
           "(docs/gpu.md), or use --device cpu";
  if (has_any(text, {"driver on your system is too old", "driver version is insufficient",
                     "cudaErrorInsufficientDriver", "unsupported toolchain"}))
    return old_driver(text);
  if (has_any(text, {"Found no NVIDIA driver"}))
    return "there is no NVIDIA driver here; install one (nvidia-smi must list the GPU), or use --device cpu";
  if (has_any(text, {"No CUDA GPUs are available", "no CUDA-capable device", "cudaErrorNoDevice"}))
    return "there is no GPU here that CUDA can use (nvidia-smi lists them, CUDA_VISIBLE_DEVICES can hide "
           "them); use --device cpu";
  if (has_any(text, {"no kernel image is available", "cudaErrorNoKernelImageForDevice"})) return no_kernels();
  return std::nullopt;
}

}  // namespace gsan::app
