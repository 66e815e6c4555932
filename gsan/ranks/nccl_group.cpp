#include "gsan/core/check.h"
#include "gsan/ranks/detail/groups.h"

#ifdef GSAN_HAVE_NCCL
#define USE_C10D_NCCL
#include <array>
#include <chrono>

#include <cuda_runtime_api.h>

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace gsan {

bool has_nccl() { return true; }

std::string gpu_address(int gpu) {
  std::array<char, 32> address{};
  const cudaError_t status = ::cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), gpu);
  GSAN_CHECK(status == cudaSuccess, "ranks: GPU ", gpu,
             " has no address on the bus: ", ::cudaGetErrorString(status));
  return address.data();
}

GroupPtr nccl_group(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place, int gpu) {
  ::cudaSetDevice(gpu);
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = std::chrono::hours(24);  // the watch decides
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, place.rank, place.size, options);
}

}  // namespace gsan

#else

namespace gsan {

bool has_nccl() { return false; }

std::string gpu_address(int) { return ""; }

GroupPtr nccl_group(const c10::intrusive_ptr<c10d::Store>&, const RankPlace&, int) {
  fail(Fault::argument, "ranks: this build has no NCCL");
}

}  // namespace gsan

#endif
