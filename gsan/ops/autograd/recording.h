#pragma once
// Whether a call has to leave a node in the graph: without one it costs no more than its kernel. A tangent
// of forward mode goes the same way, where torch says that it is not supported.
//
// Nodes have set_materialize_grads(false): whoever gets no gradient gives none, instead of computing with
// zeros.

#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

namespace gsan::ops {

template <class... Tensors>
bool records(const Tensors&... inputs) {
  return at::GradMode::is_enabled() && ((inputs.requires_grad() || inputs._fw_grad(0).defined()) || ...);
}

/// As long as it lives, autocast changes no type: a backward pass inside an autocast region computes with the
/// types that its forward pass had.
struct WithoutAutocast {
  const c10::impl::ExcludeDispatchKeyGuard guard{c10::autocast_dispatch_keyset};
};

}  // namespace gsan::ops
