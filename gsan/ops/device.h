#pragma once
// What code above the ops may ask about devices.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// Whether the processor that runs this code computes there: its numbers are read without waiting.
bool computes_on_host(at::Device device);
bool computes_on_host(const at::Tensor& tensor);

/// uint8 [bytes] of the host, from which a copy to the device does not make the host wait.
at::Tensor transfer_buffer(std::int64_t bytes, at::Device device);

}  // namespace gsan::ops
