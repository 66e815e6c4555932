// Recomputation changes what is kept, not what comes out.

#include "gsan/nn/recompute.h"

#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>

#include "layer_samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

class Recomputation : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(Layers, Recomputation, testing::ValuesIn([] {
                           std::vector<LayerSample> samples = layer_samples(2);
                           for (LayerSample& s : samples)
                             s.options.dropout = s.options.attention_dropout = 0.3;
                           return samples;
                         }()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(Recomputation, GivesTheSameBitsAndGradients) {
  const SimplicialLayerOptions& options = GetParam().options;
  SimplicialLayer layer = make_layer(options, 1);
  layer->train();
  const SimplicialComplex complex = surface_sample();
  const ComplexOperators operators(complex);
  Cochains x = sample_signals(complex, options, "x", {2});
  x[0] = Tensor();  // no signal on vertices
  x[1].requires_grad_();
  ForwardContext context;
  context.dropout = RandomStream(3, "masks");
  std::vector<Tensor> leaves = layer->parameters();
  leaves.push_back(x[1]);
  const auto gradients = [&](const Cochains& y) {
    Tensor total = torch::zeros({}, torch::kFloat64);
    for (const Tensor& signal : y)
      if (signal.defined()) total = total + signal.square().sum();
    return torch::autograd::grad({total}, leaves, {}, {}, false, /*allow_unused=*/true);
  };
  const Cochains plain = layer->forward(operators, x, context).signals;
  context.recompute = true;  // attention terms keep their operands alone
  const Cochains again = recomputed_forward(layer, operators, x, context);
  ASSERT_EQ(plain.size(), again.size());
  for (std::size_t k = 0; k < plain.size(); ++k) {
    ASSERT_EQ(plain[k].defined(), again[k].defined());
    EXPECT_TRUE(!plain[k].defined() || plain[k].equal(again[k])) << "order " << k;
  }
  const auto expected = gradients(plain), got = gradients(again);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i].defined(), got[i].defined()) << i;
    EXPECT_TRUE(!expected[i].defined() || expected[i].equal(got[i])) << i;
  }
}

TEST(RecomputedForward, ReturnsNoAttentionWeights) {
  const SimplicialLayerOptions options = sample_options(ShiftKind::attention, 2);
  ForwardContext context;
  context.return_attention_weights = true;
  expect_error(Fault::argument, {"attention weights"}, [&] {
    recomputed_forward(make_layer(options), ComplexOperators(surface_sample()),
                       sample_signals(surface_sample(), options, "x"), context);
  });
}

}  // namespace
}  // namespace gsan
