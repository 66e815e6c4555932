#include "apps/gsan/bench/gpu.h"

#include <algorithm>

#include <c10/core/CachingDeviceAllocator.h>

#include "gsan/core/check.h"

#include "apps/gsan/bench/timing.h"
#include "apps/gsan/console/device.h"
#include "apps/gsan/console/gpu_facts.h"

namespace gsan::app {

Json describe_gpu(torch::Device gpu) {
  const std::optional<GpuFacts> facts = gpu_facts(gpu.index());
  if (!facts) return {{"device", gpu.str()}, {"name", "unknown"}};
  return {{"device", gpu.str()},
          {"name", facts->name},
          {"compute_capability", concat(facts->major, ".", facts->minor)},
          {"multiprocessors", facts->multiprocessors},
          {"l2_bytes", facts->l2_bytes},
          {"memory_bytes", facts->memory_bytes},
          {"driver_cuda", concat(facts->driver / 1000, ".", facts->driver % 1000 / 10)}};
}

double gpu_copy_rate(torch::Device gpu) {
  const std::int64_t numbers = std::int64_t{1} << 28;  // 1 GiB of float32
  const torch::Tensor from = torch::ones({numbers}, torch::TensorOptions(gpu).dtype(torch::kFloat32));
  torch::Tensor to = torch::empty_like(from);
  const double by_copy = time_runs([&] { to.copy_(from); }, 20, 0, gpu).least();
  const double by_kernel = time_runs([&] { at::neg_out(to, from); }, 20, 0, gpu).least();
  return 2.0 * static_cast<double>(from.nbytes()) / std::min(by_copy, by_kernel);
}

DeviceMemory device_memory(torch::Device gpu, const std::function<void()>& work) {
  auto* const allocator = at::getDeviceAllocator(gpu.type());
  synchronize(gpu);
  allocator->resetPeakStats(gpu.index());
  DeviceMemory memory;
  memory.before = static_cast<std::size_t>(allocator->getDeviceStats(gpu.index()).allocated_bytes[0].current);
  work();
  synchronize(gpu);
  memory.peak = static_cast<std::size_t>(allocator->getDeviceStats(gpu.index()).allocated_bytes[0].peak);
  return memory;
}

}  // namespace gsan::app
