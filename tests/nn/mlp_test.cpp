#include "gsan/nn/mlp.h"

#include <cmath>

#include <gtest/gtest.h>

#include <torch/utils.h>

#include "hodge/dense_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

Tensor signal(std::int64_t rows, std::int64_t columns, const char* purpose = "x") {
  return random_signal(rows, columns, purpose, torch::kFloat64);
}

MlpOptions sample_options() {
  MlpOptions options;
  options.in_channels = 3;
  options.hidden = {5, 4};
  options.out_channels = 2;
  options.activation = Activation::tanh;
  return options;
}

TEST(Linear, StartsAsXavierWithZeroBias) {
  const Linear linear(40, 60, true, RandomStream(1, "linear"));
  EXPECT_LE(linear->weight.abs().max().item<double>(), std::sqrt(6.0 / 100));
  EXPECT_GT(linear->weight.abs().max().item<double>(), 0.9 * std::sqrt(6.0 / 100));
  EXPECT_EQ(linear->bias.abs().max().item<double>(), 0);
}

TEST(Linear, RefusesOtherWidthsAndTypes) {
  const Linear linear(3, 2, true, RandomStream(1, "linear"));
  expect_error(Fault::argument, {"3 features", "[5, 4]"}, [&] { linear->forward(torch::zeros({5, 4})); });
  expect_error(Fault::argument, {"Double", "Float"}, [&] {
    linear->forward(torch::zeros({5, 3}, torch::kFloat64));
  });
  expect_error(Fault::argument, {"0 in"}, [] { Linear(0, 2, true, RandomStream(1, "linear")); });
}

TEST(BatchNorm, IsItsFormula) {
  BatchNorm norm(3);
  norm->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  norm->weight.copy_(torch::tensor({1.0, 2.0, -1.0}));
  norm->bias.copy_(torch::tensor({0.5, 0.0, 1.0}));
  const Tensor x = signal(20, 3) * 3 + 1;
  const Tensor mean = x.mean(0), variance = (x - mean).square().mean(0);
  const Tensor expected = (x - mean) / (variance + 1e-5).sqrt() * norm->weight + norm->bias;
  EXPECT_LT(distance(norm->forward(x), expected), 1e-12);
  EXPECT_LT(distance(norm->running_mean, 0.1 * mean), 1e-12);
  EXPECT_LT(distance(norm->running_var, 0.9 + 0.1 * variance * 20 / 19), 1e-12);
  norm->eval();
  const Tensor kept =
      (x - norm->running_mean) / (norm->running_var + 1e-5).sqrt() * norm->weight + norm->bias;
  EXPECT_LT(distance(norm->forward(x), kept), 1e-12);
  EXPECT_LT(distance(norm->forward(x.view({4, 5, 3})), kept.view({4, 5, 3})), 1e-12);
}

TEST(BatchNorm, BatchesWithoutAVarianceUseAndKeepTheRunningStatistics) {
  BatchNorm norm(2);
  norm->to(torch::kFloat64);
  const Tensor x = signal(1, 2);
  EXPECT_LT(distance(norm->forward(x), x / std::sqrt(1 + 1e-5)), 1e-12);
  EXPECT_EQ(norm->forward(torch::zeros({0, 2}, torch::kFloat64)).size(0), 0);
  EXPECT_EQ(norm->running_mean.abs().max().item<double>(), 0);
  EXPECT_EQ((norm->running_var - 1).abs().max().item<double>(), 0);
}

TEST(Mlp, IsLinearsWithActivationsBetween) {
  for (const bool activate_last : {false, true}) {
    MlpOptions options = sample_options();
    options.activate_last = activate_last;
    Mlp mlp(options, RandomStream(1, "mlp"));
    mlp->to(torch::kFloat64);
    const auto p = mlp->named_parameters();
    EXPECT_EQ(p.size(), 6u);
    Tensor y = signal(7, 3);
    y = torch::tanh(y.mm(p["linear0.weight"].t()) + p["linear0.bias"]);
    y = torch::tanh(y.mm(p["linear1.weight"].t()) + p["linear1.bias"]);
    y = y.mm(p["linear2.weight"].t()) + p["linear2.bias"];
    EXPECT_LT(distance(mlp->forward(signal(7, 3)), activate_last ? torch::tanh(y) : y), 1e-12);
  }
}

TEST(Mlp, TakesLeadingDimensionsAndNoRows) {
  Mlp mlp(sample_options(), RandomStream(1, "mlp"));
  mlp->to(torch::kFloat64);
  const Tensor x = signal(12, 3);
  EXPECT_LT(distance(mlp->forward(x.view({2, 6, 3})).view({12, 2}), mlp->forward(x)), 1e-12);
  EXPECT_EQ(mlp->forward(x.narrow(0, 0, 0)).sizes(), (std::vector<std::int64_t>{0, 2}));
}

TEST(Mlp, OnlyParametersThatAreUsedExist) {
  MlpOptions options = sample_options();
  options.batch_norm = true;
  options.bias = false;
  Mlp mlp(options, RandomStream(1, "mlp"));
  std::vector<std::string> names;
  for (const auto& item : mlp->named_parameters()) names.push_back(item.key());
  const std::vector<std::string> expected{"linear0.weight", "norm0.weight", "norm0.bias",    "linear1.weight",
                                          "norm1.weight",   "norm1.bias",   "linear2.weight"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(mlp->named_buffers().size(), 4u);
}

TEST(Mlp, GradientsOfInputAndParameters) {
  Mlp mlp(sample_options(), RandomStream(1, "mlp"));
  mlp->to(torch::kFloat64);
  expect_gradients([&](const Tensors& in) { return mlp->forward(in[0]); }, {signal(4, 3)});
  mlp->forward(signal(4, 3)).sum().backward();
  for (const Tensor& parameter : mlp->parameters())
    EXPECT_TRUE(parameter.grad().isfinite().all().item<bool>());
}

TEST(Mlp, ResetGivesTheFirstValuesAgain) {
  const RandomStream stream(9, "mlp");
  Mlp mlp(sample_options(), stream), other(sample_options(), RandomStream(8, "mlp"));
  EXPECT_FALSE(mlp->parameters()[0].equal(other->parameters()[0]));
  other->reset_parameters(stream);
  for (std::size_t i = 0; i < mlp->parameters().size(); ++i)
    EXPECT_TRUE(mlp->parameters()[i].equal(other->parameters()[i]));
}

TEST(Mlp, TorchsSeedGovernsAModelWithoutAStream) {
  torch::manual_seed(1);
  const Mlp a(sample_options());
  torch::manual_seed(1);
  const Mlp b(sample_options());
  const Mlp c(sample_options());
  EXPECT_TRUE(a->parameters()[0].equal(b->parameters()[0]));
  EXPECT_FALSE(a->parameters()[0].equal(c->parameters()[0]));
}

TEST(Mlp, ReportsEveryFaultAtOnce) {
  MlpOptions options;
  options.in_channels = 0;
  options.hidden = {4, -1};
  options.out_channels = -2;
  expect_error(Fault::argument, {"in_channels", "got 0", "hidden", "got -1", "out_channels", "got -2"},
               [&] { Mlp{options}; });
}

}  // namespace
}  // namespace gsan
