#pragma once
// Differentiable gradients of a function that a node of the graph computes again in its backward pass.
//
// torch::autograd::grad goes on through an input to what that input was made of. Where this is another input
// (a parameter, when a layer is applied to its own output), it counts a path that whoever asked for the
// node's gradient goes as well. Inputs that passed a gate end there while the gradients are made, and are
// the inputs themselves for those who differentiate them.

#include <memory>

#include <torch/csrc/autograd/variable.h>

namespace gsan {

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
