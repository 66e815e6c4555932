#include "gsan/models/backbones/mlp_backbone.h"

#include <gtest/gtest.h>

#include "hodge/dense_reference.h"
#include "nn/sample_batch.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

MlpBackboneOptions sample_options() {
  MlpBackboneOptions options;
  options.in_channels = {3, 2};
  options.hidden_channels = 4;
  options.activation = Activation::tanh;
  return options;
}

TEST(MlpBackbone, SeesEverySimplexByItself) {
  const SampleBatch batch = sample_batch(1, {3, 2});
  MlpBackbone model(sample_options(), RandomStream(1, "mlp"));
  model->to(torch::kFloat64);
  const auto p = model->named_parameters();
  const auto layers = model->forward(batch.operators, batch.signals);
  ASSERT_EQ(layers.size(), 2u);
  for (int k = 0; k < 2; ++k) {
    const std::string order = "order" + std::to_string(k);
    Tensor y = batch.signals[k];
    for (std::size_t l = 0; l < 2; ++l) {
      const std::string name = order + "_layer" + std::to_string(l) + ".linear0";
      y = torch::tanh(y.mm(p[name + ".weight"].t()) + p[name + ".bias"]);
      EXPECT_LT(distance(layers[l][k], y), 1e-12);
    }
  }
}

TEST(MlpBackbone, AnOrderWithoutASignalCountsAsZero) {
  const SampleBatch batch = sample_batch(1, {3, 2});
  MlpBackbone model(sample_options(), RandomStream(1, "mlp"));
  model->to(torch::kFloat64);
  const Cochains zeros{batch.signals[0], torch::zeros_like(batch.signals[1])};
  const auto expected = model->forward(batch.operators, zeros),
             y = model->forward(batch.operators, {zeros[0]});
  EXPECT_TRUE(y[1][1].equal(expected[1][1]));
}

TEST(MlpBackbone, NamesWhatDoesNotFit) {
  const SampleBatch batch = sample_batch(1, {3, 2, 1});
  MlpBackbone model(sample_options(), RandomStream(1, "mlp"));
  model->to(torch::kFloat64);
  expect_error(Fault::argument, {"0 ... 1", "3 orders"},
               [&] { model->forward(batch.operators, batch.signals); });
  MlpBackboneOptions options;
  options.in_channels = {};
  options.n_layers = 0;
  expect_error(Fault::argument, {"in_channels", "n_layers"}, [&] { MlpBackbone{options}; });
}

}  // namespace
}  // namespace gsan
