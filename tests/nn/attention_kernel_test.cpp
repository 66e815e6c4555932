// The kernels of attention inside a layer: whichever is chosen, the layer is the one that the pair by pair
// reference computes, with its gradients of first and second order.

#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>

#include "gsan/nn/simplicial_layer.h"

#include "hodge/dense_reference.h"
#include "layer_samples.h"

namespace gsan {
namespace {

std::vector<LayerSample> one_op_samples() {
  std::vector<LayerSample> samples;
  for (const bool is_equivariant : {false, true}) {
    for (LayerSample& s : is_equivariant ? signed_samples() : layer_samples()) {
      if (!s.options.uses(ShiftKind::attention) || !mechanism_of(s.options.mechanism).filter) continue;
      if (is_equivariant) s.name += "_signed";
      samples.push_back(s);
      s.name += "_dropout";
      s.options.attention_dropout = 0.4;
      samples.push_back(s);
    }
  }
  return samples;
}

class AttentionKernels : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(Layers, AttentionKernels, testing::ValuesIn(one_op_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

struct Pass {
  Cochains outputs;
  std::vector<Tensor> gradients;
};

Tensor weighted_total(const std::vector<Tensor>& tensors) {
  Tensor total = torch::zeros({}, torch::kFloat64);
  for (const Tensor& x : tensors)
    if (x.defined() && x.numel() > 0)
      total =
          total + (x * torch::arange(1, x.numel() + 1, torch::kFloat64).mul(0.7).sin().view(x.sizes())).sum();
  return total;
}

// In training mode, so that masks are drawn; of `derivative` 1 or 2.
Pass pass(SimplicialLayer& layer, const ComplexOperators& operators, const Cochains& x,
          AttentionKernel kernel, int derivative) {
  layer->train();
  ForwardContext context;
  context.dropout = RandomStream(3, "masks");
  context.attention_kernel = kernel;
  std::vector<Tensor> leaves = layer->parameters();
  for (const Tensor& signal : x) leaves.push_back(signal);
  Pass result{layer->forward(operators, x, context).signals, {}};
  result.gradients =
      torch::autograd::grad({weighted_total(result.outputs)}, leaves, {}, true, derivative == 2, true);
  if (derivative == 2)
    result.gradients =
        torch::autograd::grad({weighted_total(result.gradients)}, leaves, {}, true, false, true);
  return result;
}

void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Tensor of_a = a[i].defined() ? a[i] : torch::zeros_like(b[i].defined() ? b[i] : torch::zeros({}));
    const Tensor of_b = b[i].defined() ? b[i] : torch::zeros_like(of_a);
    EXPECT_LT(distance(of_a, of_b), 1e-11) << "number " << i;
  }
}

TEST_P(AttentionKernels, GiveTheLayerOfTheReference) {
  const SimplicialLayerOptions& options = GetParam().options;
  SimplicialLayer layer = make_layer(options, 1);
  for (const std::vector<std::int64_t>& leading : {std::vector<std::int64_t>{}, {2}}) {
    const SimplicialComplex complex = solid_sample();
    for (const bool oriented : {false, true}) {
      ComplexOperators operators(complex);
      if (oriented)
        operators = operators.oriented(Orientation::random(complex, RandomStream(2, "orientation")));
      Cochains x = sample_signals(complex, options, "x", leading);
      for (Tensor& signal : x) signal.requires_grad_();
      const Pass expected = pass(layer, operators, x, AttentionKernel::reference, 1);
      for (const AttentionKernel kernel :
           {AttentionKernel::automatic, AttentionKernel::pairs, AttentionKernel::stars}) {
        const Pass got = pass(layer, operators, x, kernel, 1);
        expect_same(got.outputs, expected.outputs);
        expect_same(got.gradients, expected.gradients);
      }
    }
  }
}

TEST_P(AttentionKernels, HaveSecondDerivatives) {
  SimplicialLayerOptions options = GetParam().options;
  SimplicialLayer layer = make_layer(options, 1);
  const SimplicialComplex complex = solid_sample();
  const ComplexOperators operators(complex);
  Cochains x = sample_signals(complex, options, "x");
  for (Tensor& signal : x) signal.requires_grad_();
  const Pass expected = pass(layer, operators, x, AttentionKernel::reference, 2);
  for (const AttentionKernel kernel : {AttentionKernel::pairs, AttentionKernel::stars})
    expect_same(pass(layer, operators, x, kernel, 2).gradients, expected.gradients);
}

}  // namespace
}  // namespace gsan
