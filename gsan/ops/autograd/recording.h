#pragma once
// Whether a call has to leave a node in the graph: without one it costs no more than its kernel.

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

namespace gsan::ops {

template <class... Tensors>
bool records(const Tensors&... inputs) {
  return at::GradMode::is_enabled() && (inputs.requires_grad() || ...);
}

}  // namespace gsan::ops
