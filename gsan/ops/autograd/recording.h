#pragma once
// Whether a call has to leave a node in the graph: without one it costs no more than its kernel. A tangent
// of forward mode goes the same way, where torch says that it is not supported.

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

namespace gsan::ops {

template <class... Tensors>
bool records(const Tensors&... inputs) {
  return at::GradMode::is_enabled() && ((inputs.requires_grad() || inputs._fw_grad(0).defined()) || ...);
}

}  // namespace gsan::ops
