#include "gsan/ops/device.h"

#include <ATen/ops/empty.h>

namespace gsan::ops {

bool computes_on_host(at::Device device) { return device.is_cpu(); }

bool computes_on_host(const at::Tensor& tensor) { return computes_on_host(tensor.device()); }

at::Tensor transfer_buffer(std::int64_t bytes, at::Device device) {
  return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(device.is_cuda()));
}

}  // namespace gsan::ops
