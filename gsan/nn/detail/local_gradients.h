#pragma once
// Differentiable gradients of a function that a node of the graph computes again in its backward pass.
//
// torch::autograd::grad goes on through an input to what that input was made of. Where this is another input
// (a parameter, when a layer is applied to its own output), it counts a path that whoever asked for the
// node's gradient goes as well. Inputs that passed a gate end there while the gradients are made, and are
// the inputs themselves for those who differentiate them.

#include <algorithm>
#include <memory>

#include <torch/csrc/autograd/variable.h>

namespace gsan {

/// Whether a node has anything to do: beyond a closed gate it has not.
inline bool any_defined(const torch::autograd::variable_list& gradients) {
  return std::any_of(gradients.begin(), gradients.end(), [](const at::Tensor& g) { return g.defined(); });
}

/// Whether somebody has registered a hook on a parameter. torch::autograd::grad runs it, and so does whoever
/// adds the result to the parameter's gradient: behind a node that is computed again it would run twice.
inline bool has_hooks(const torch::Tensor& parameter) {
  return !torch::autograd::impl::hooks(parameter).empty();
}

class LocalGradients {
 public:
  /// `x`, to be used in its place and to be asked for.
  torch::Tensor gate(const torch::Tensor& x) const;

  /// As torch::autograd::grad with create_graph and allow_unused, for inputs that are gates or leaves. Once.
  torch::autograd::variable_list of(const torch::autograd::variable_list& outputs,
                                    const torch::autograd::variable_list& inputs,
                                    const torch::autograd::variable_list& gradients) const;

 private:
  struct Gate;
  std::shared_ptr<bool> is_open_ = std::make_shared<bool>(false);
};

}  // namespace gsan
