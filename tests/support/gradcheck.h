#pragma once
// Gradients against central differences, in float64, to first and second order.
//
//   expect_gradients([](const Tensors& x) { return x[0].mul(x[1]); }, {a, b});
//
// `function` maps the inputs to one tensor. Every element of every input is moved.

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

namespace gsan {

using Tensors = std::vector<torch::Tensor>;
using TensorFunction = std::function<torch::Tensor(const Tensors&)>;

struct GradcheckOptions {
  double step = 1e-6;       ///< of the central difference
  double tolerance = 1e-7;  ///< times 1 + |value|; the difference itself is good to some 1e-9
};

namespace gradcheck {

/// Independent float64 leaves with the values of `inputs`.
inline Tensors leaves(const Tensors& inputs) {
  Tensors copies;
  for (const auto& x : inputs) copies.push_back(x.detach().to(torch::kFloat64).clone().requires_grad_());
  return copies;
}

/// A fixed weight without symmetry for the output: Σ weight · output has the gradient to check.
inline torch::Tensor weight(const torch::Tensor& output) {
  return torch::arange(1, output.numel() + 1, torch::kFloat64).mul(0.7).sin().view(output.sizes());
}

inline Tensors gradients(const torch::Tensor& output, const torch::Tensor& weight, const Tensors& inputs,
                         bool create_graph) {
  Tensors result = torch::autograd::grad({output}, inputs, {weight}, /*retain_graph=*/true, create_graph,
                                         /*allow_unused=*/true);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!result[i].defined()) result[i] = torch::zeros_like(inputs[i]);
  }
  return result;
}

}  // namespace gradcheck

/// First order: the gradient of every input.
inline void expect_gradients(const TensorFunction& function, const Tensors& inputs,
                             GradcheckOptions options = {}) {
  const Tensors x = gradcheck::leaves(inputs);
  const torch::Tensor output = function(x);
  ASSERT_EQ(output.scalar_type(), torch::kFloat64) << "gradcheck needs a float64 output";
  const torch::Tensor weight = gradcheck::weight(output);
  Tensors computed(x.size());
  if (output.requires_grad()) computed = gradcheck::gradients(output, weight, x, false);
  const auto value = [&] { return function(x).detach().mul(weight).sum().item<double>(); };
  torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!computed[i].defined()) computed[i] = torch::zeros_like(x[i]);
    torch::Tensor elements = x[i].view({-1});
    const torch::Tensor gradient = computed[i].contiguous().view({-1});
    for (std::int64_t e = 0; e < elements.numel(); ++e) {
      const double at = elements[e].item<double>();
      elements[e] = at + options.step;
      const double above = value();
      elements[e] = at - options.step;
      const double below = value();
      elements[e] = at;
      const double expected = (above - below) / (2 * options.step);
      EXPECT_NEAR(gradient[e].item<double>(), expected, options.tolerance * (1 + std::abs(expected)))
          << "input " << i << ", element " << e;
    }
  }
}

/// Second order: the gradients, as functions of the inputs and of the output's gradient,
/// are differentiated once more.
inline void expect_second_gradients(const TensorFunction& function, const Tensors& inputs,
                                    GradcheckOptions options = {}) {
  const std::size_t count = inputs.size();
  Tensors all = inputs;
  all.push_back(gradcheck::weight(function(gradcheck::leaves(inputs))));
  const TensorFunction first_order = [&](const Tensors& x) {
    torch::AutoGradMode with_grad(true);  // the differences are taken without
    const Tensors of(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
    Tensors flat;
    for (const auto& g : gradcheck::gradients(function(of), x[count], of, true))
      flat.push_back(g.reshape({-1}));
    return torch::cat(flat);
  };
  expect_gradients(first_order, all, options);
}

}  // namespace gsan
