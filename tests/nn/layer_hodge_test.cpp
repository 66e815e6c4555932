// GSAN-Hodge (spec 6): the learned metric keeps B B = 0, and float32 holds its powers.

#include <gtest/gtest.h>

#include "gsan/hodge/shift.h"
#include "gsan/topology/hex_grid.h"

#include "hodge/dense_reference.h"
#include "nn/layer_samples.h"

namespace gsan {
namespace {

// Signals ±1 whose metric has logits of exactly ±50: 50 x = w (LReLU(x) − LReLU(−x)), w = 50/1.2.
void set_extreme_logits(SimplicialLayer& layer) {
  const torch::NoGradGuard no_grad;
  for (int k = 0; k <= layer->options().order; ++k) {
    const LearnedMetric& metric = layer->metric(k);
    metric->W1.zero_();
    metric->W1.select(2, 0).fill_(1);
    metric->W1.select(2, 1).fill_(-1);
    metric->b1.zero_();
    metric->W2.select(1, 0).fill_(50 / 1.2);
    metric->W2.select(1, 1).fill_(-50 / 1.2);
    metric->b2.zero_();
  }
}

Tensor signs(std::int64_t rows, const std::string& purpose, torch::ScalarType type) {
  return torch::where(random_signal(rows, 1, purpose, torch::kFloat64) > 0, 1.0, -1.0).to(type);
}

SimplicialLayerOptions extreme_options(Activation activation) {
  SimplicialLayerOptions options = sample_options(ShiftKind::weighted, 3);
  options.in_channels = 1;
  options.set_dirac_taps(8);  // own-order powers 1 … 4
  options.metric_channels = 2;
  options.heads = 2;
  options.activation = activation;
  return options;
}

TEST(LearnedMetric, OptionsSetItsScale) {
  const torch::NoGradGuard no_grad;
  const Tensor z = 100 * random_signal(12, 2, "z", torch::kFloat64);
  const Tensor parts = torch::tensor({0, 5, 12}, torch::kInt64);
  const auto metric = [&](const LearnedMetricOptions& options) {
    LearnedMetric made(options);
    made->to(torch::kFloat64);
    made->reset_parameters(RandomStream(3, "metric"));
    return made->forward(z, parts).exp();  // weights [12, H]
  };
  LearnedMetricOptions options{.in_channels = 2, .hidden_channels = 4, .heads = 2};
  const auto sums = [&](const Tensor& w) {
    return torch::stack({w.slice(0, 0, 5).sum(0), w.slice(0, 5).sum(0)});
  };
  EXPECT_TRUE(torch::allclose(sums(metric(options)), torch::ones({2, 2}, torch::kFloat64)));
  options.mean_one = true;
  const Tensor counts = torch::tensor({5.0, 7.0}, torch::kFloat64).unsqueeze(-1).expand({2, 2});
  EXPECT_TRUE(torch::allclose(sums(metric(options)), counts));
  EXPECT_GT(
      metric(options).log().amax(0).max().item<double>() - metric(options).log().amin(0).min().item<double>(),
      10);
  options.bound = 2;
  const Tensor logs = metric(options).log().slice(0, 0, 5);
  EXPECT_LE((logs.amax(0) - logs.amin(0)).max().item<double>(), 4 + 1e-9);
  options.uniform_start = true;
  EXPECT_TRUE(torch::allclose(metric(options), torch::ones({12, 2}, torch::kFloat64)));
}

TEST(LearnedMetric, BoundariesOfBoundariesVanish) {
  const torch::NoGradGuard no_grad;
  SimplicialLayer layer = make_layer(sample_options(ShiftKind::weighted, 3));
  const ComplexOperators operators(disjoint_union(part_samples()));
  const Cochains z = sample_signals(operators.complex(), layer->options());
  std::vector<Tensor> g;
  for (int k = 0; k <= 3; ++k) {
    g.push_back(layer->metric(k)->forward(z[k], operators.part_offsets(k)));
    // log softmax: the weights e^g of an order of one complex sum to 1.
    const auto parts = operators.parts(k);
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
      if (parts[p] == parts[p + 1]) continue;
      const Tensor weights = g[k].narrow(0, parts[p], parts[p + 1] - parts[p]).exp();
      EXPECT_NEAR(weights.sum().item<double>(), 1, 1e-12);
    }
  }
  for (int k = 1; k <= 2; ++k) {
    const Incidence lower = weighted_incidence(operators.incidence(k), g[k - 1], g[k]);
    const Incidence upper = weighted_incidence(operators.incidence(k + 1), g[k], g[k + 1]);
    const Tensor x = random_signal(operators.count(k + 1), 4, "x", torch::kFloat64);
    const Tensor once = upper.boundary(x);
    EXPECT_GE(once.abs().max().item<double>(), 0.1);
    EXPECT_LE(lower.boundary(once).abs().max().item<double>(),
              1e-13 * lower.absolute_boundary(once.abs()).max().item<double>());
    // so L^d L^u = 0
    const LaplacianShift down(lower, upper, Side::lower), up(lower, upper, Side::upper);
    const Tensor z_k = random_signal(operators.count(k), 3, "z", torch::kFloat64);
    const Tensor up_z = up.apply(z_k);
    EXPECT_LE(down.apply(up_z).abs().max().item<double>(),
              1e-11 * down.apply(z_k).abs().max().item<double>() * up_z.abs().max().item<double>());
  }
}

TEST(LearnedMetric, LogitsOf50KeepFloat32Finite) {
  for (const Activation activation : {Activation::identity, Activation::tanh}) {
    for (const Sharing sharing : {Sharing::dirac, Sharing::joint, Sharing::none}) {
      SimplicialLayerOptions options = extreme_options(activation);
      options.sharing = sharing;
      SimplicialLayer layer = make_layer(options);
      set_extreme_logits(layer);
      layer->to(torch::kFloat32);
      const ComplexOperators operators(disjoint_union(part_samples()));
      Cochains x;
      for (int k = 0; k <= 3; ++k)
        x.push_back(signs(operators.count(k), concat("sign", k), torch::kFloat32).requires_grad_());
      // The logits are what they should be: g spans the whole 20 that it may.
      const Tensor g = layer->metric(1)->forward(x[1].detach(), operators.part_offsets(1)).detach();
      EXPECT_NEAR((g.max() - g.min()).item<double>(), 20, 3);

      const Cochains y = layer->forward(operators, x);
      Tensor sum = torch::zeros({});
      for (int k = 0; k <= 3; ++k) {
        EXPECT_TRUE(y[k].isfinite().all().item<bool>()) << "order " << k;
        sum = sum + (activation == Activation::identity ? y[k] / scale(y) : y[k]).sum();
      }
      sum.backward();
      for (int k = 0; k <= 3; ++k) EXPECT_TRUE(x[k].grad().isfinite().all().item<bool>()) << "order " << k;
      for (const auto& item : layer->named_parameters())
        EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
    }
  }
}

// (e^20 · row sum)^4 leaves float32 on a mesh: the powers are computed in float64, the output ends at its
// border.
TEST(LearnedMetric, LogitsOf50KeepFloat32FiniteOnAMesh) {
  SimplicialLayerOptions options = extreme_options(Activation::tanh);
  options.order = 2;
  SimplicialLayer layer = make_layer(options);
  set_extreme_logits(layer);
  layer->to(torch::kFloat32);
  const ComplexOperators operators(hex_grid(12, 12).complex);
  Cochains x;
  for (int k = 0; k <= 2; ++k)
    x.push_back(signs(operators.count(k), concat("sign", k), torch::kFloat32).requires_grad_());
  Tensor sum = torch::zeros({});
  for (const Tensor& y : layer->forward(operators, x)) {
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    sum = sum + y.sum();
  }
  sum.backward();
  for (const Tensor& signal : x) EXPECT_TRUE(signal.grad().isfinite().all().item<bool>());
}

// In float32 the weighted operators of extreme metrics still compose to (relatively) nothing.
TEST(LearnedMetric, BoundariesOfBoundariesVanishInFloat32WithExtremeLogits) {
  const torch::NoGradGuard no_grad;
  SimplicialLayer layer = make_layer(extreme_options(Activation::tanh));
  set_extreme_logits(layer);
  layer->to(torch::kFloat32);
  const ComplexOperators operators(solid_sample());
  std::vector<Tensor> g;
  for (int k = 0; k <= 3; ++k)
    g.push_back(layer->metric(k)->forward(signs(operators.count(k), concat("sign", k), torch::kFloat32),
                                          operators.part_offsets(k)));
  for (int k = 1; k <= 2; ++k) {
    const Incidence lower = weighted_incidence(operators.incidence(k), g[k - 1], g[k]);
    const Incidence upper = weighted_incidence(operators.incidence(k + 1), g[k], g[k + 1]);
    const Tensor once = upper.boundary(random_signal(operators.count(k + 1), 4, "x", torch::kFloat32));
    EXPECT_LE(lower.boundary(once).abs().max().item<double>(),
              1e-6 * lower
                         .absolute_boundary(upper.absolute_boundary(
                             random_signal(operators.count(k + 1), 4, "x", torch::kFloat32).abs()))
                         .max()
                         .item<double>());
  }
}

// ε belongs to each complex and head and is that of the weighted Laplacians.
TEST(LearnedMetric, EpsilonIsThatOfEachComplexAndHead) {
  const torch::NoGradGuard no_grad;
  SimplicialLayerOptions options = sample_options(ShiftKind::weighted, 3);
  options.heads = 2;
  SimplicialLayer layer = make_layer(options);
  const std::vector<SimplicialComplex> parts = part_samples();
  const ComplexOperators operators(disjoint_union(parts));
  const Cochains z = sample_signals(operators.complex(), options, "signal", {2});
  const LayerOutput output = layer->forward(operators, z, ForwardContext{});
  const auto P = static_cast<std::int64_t>(parts.size());
  for (int k = 0; k <= 3; ++k) {
    ASSERT_EQ(output.harmonic_epsilon[k].sizes(), at::IntArrayRef({2, P, 2}));
    EXPECT_EQ(output.harmonic_epsilon[k][0][0][0].item<double>(), 1);  // the empty complex
  }
  EXPECT_NE(output.harmonic_epsilon[1][0][2][0].item<double>(),
            output.harmonic_epsilon[1][1][2][0].item<double>());
  EXPECT_NE(output.harmonic_epsilon[1][0][2][0].item<double>(),
            output.harmonic_epsilon[1][0][2][1].item<double>());
}

}  // namespace
}  // namespace gsan
