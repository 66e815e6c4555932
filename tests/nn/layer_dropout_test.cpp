// Dropout of attention weights and of features: what the mask is, and that it belongs to a simplex of a
// complex, not to a row of a batch.

#include <cmath>

#include <gtest/gtest.h>

#include "nn/layer_samples.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

constexpr double p = 0.4;

// y = σ-free α^power x with uniform α on one side of order 1: with x = I it shows α times the mask.
SimplicialLayer averaging_layer(bool lower, int power = 1) {
  SimplicialLayerOptions options;
  options.orders = {1};
  options.lower = {.own = lower ? power : 0, .neighbor = 0, .first = 0};
  options.upper = {.own = lower ? 0 : power, .neighbor = 0, .first = 0};
  options.sharing = Sharing::none;
  options.harmonic = HarmonicKind::none;
  options.activation = Activation::identity;
  options.attention_dropout = p;
  SimplicialLayer layer(options);
  layer->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : layer->parameters()) parameter.zero_();
  layer->weight(lower ? "own_1_lower" : "own_1_upper").select(1, power - 1).fill_(1);
  return layer;
}

// The matrix of a linear layer with one feature on order 1, [N, N].
Tensor matrix(SimplicialLayer& layer, const ComplexOperators& operators, const RandomStream& stream) {
  const torch::NoGradGuard no_grad;
  const std::int64_t n = operators.count(1);
  ForwardContext context;
  context.dropout = stream;
  context.signal_keys = torch::zeros({n}, torch::kInt64);  // all columns see one mask
  return layer->forward(operators, {{}, torch::eye(n, torch::kFloat64).unsqueeze(-1)}, context)
      .signals[1]
      .squeeze(-1)
      .t();
}

const RandomStream stream(3, "dropout");

class OneSide : public testing::TestWithParam<bool> {
 protected:
  const bool lower_ = GetParam();
  const Side side_ = lower_ ? Side::lower : Side::upper;
};
INSTANTIATE_TEST_SUITE_P(Sides, OneSide, testing::Bool(),
                         [](const auto& side) { return side.param ? "lower" : "upper"; });

TEST_P(OneSide, KeepsEntriesTimesTheInverseProbability) {
  const ComplexOperators operators(surface_sample());
  SimplicialLayer layer = averaging_layer(lower_);
  const Tensor dropped = matrix(layer, operators, stream);
  layer->eval();
  const Tensor alpha = matrix(layer, operators, stream);
  const Tensor ratio = torch::where(alpha > 0, dropped / alpha, torch::zeros_like(alpha));
  const Tensor kept = (ratio - 1 / (1 - p)).abs() < 1e-12, gone = ratio == 0;
  EXPECT_TRUE((kept | gone).all().item<bool>());
  EXPECT_TRUE(kept.any().item<bool>());
  EXPECT_TRUE((gone & (alpha > 0)).any().item<bool>());
}

TEST_P(OneSide, EqualComplexesWithKeysOfTheirOwnDrawMasksOfTheirOwn) {
  const std::vector<SimplicialComplex> twins{surface_sample(), surface_sample()};
  const std::int64_t n = twins[0].count(1);
  SimplicialLayer layer = averaging_layer(lower_);
  const auto blocks_agree = [&](std::vector<std::int32_t> keys) {
    const Tensor S = matrix(layer, ComplexOperators(disjoint_union(twins), {}, std::move(keys)), stream);
    return S.narrow(0, 0, n).narrow(1, 0, n).equal(S.narrow(0, n, n).narrow(1, n, n));
  };
  EXPECT_TRUE(blocks_agree({7, 7}));
  EXPECT_FALSE(blocks_agree({7, 8}));
}

TEST_P(OneSide, OneMaskServesAllPowers) {
  const ComplexOperators operators(surface_sample());
  SimplicialLayer once = averaging_layer(lower_), thrice = averaging_layer(lower_, 3);
  const Tensor S = matrix(once, operators, stream);
  EXPECT_LE((matrix(thrice, operators, stream) - S.mm(S).mm(S)).abs().max().item<double>(), 1e-12);
}

TEST_P(OneSide, TheMaskIsKeyedBySourceAndSharedSimplex) {
  const ComplexOperators operators(solid_sample());
  SimplicialLayerOptions options = averaging_layer(lower_)->options();
  options.order = 3;
  SimplicialLayer layer(options);
  layer->to(torch::kFloat64);
  {
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : layer->parameters()) parameter.fill_(0);
    layer->weight(lower_ ? "own_1_lower" : "own_1_upper").fill_(1);
  }
  const Tensor dropped = matrix(layer, operators, stream) != 0;
  const Neighborhood& n = operators.neighborhood(1, side_);
  const Tensor receivers = n.receivers();
  std::map<std::pair<int, int>, bool> mask;  // (source, shared) → kept
  int repeated = 0, kept = 0;
  for (std::int64_t e = 0; e < n.pairs(); ++e) {
    const int i = receivers[e].item<int>(), j = n.sources[e].item<int>();
    const bool value = dropped[i][j].item<bool>();
    kept += value;
    const auto [found, is_new] = mask.emplace(std::pair{j, n.shared[e].item<int>()}, value);
    repeated += !is_new;
    EXPECT_EQ(found->second, value) << i << " from " << j;
  }
  EXPECT_GT(repeated, 0);  // several edges hear j through one vertex or triangle
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, n.pairs());
}

TEST_P(OneSide, StreamsDecideAndNothingElse) {
  const ComplexOperators operators(surface_sample());
  SimplicialLayer layer = averaging_layer(lower_);
  const Tensor first = matrix(layer, operators, stream);
  EXPECT_TRUE(torch::equal(first, matrix(layer, operators, stream)));
  EXPECT_TRUE(torch::equal(first, matrix(layer, ComplexOperators(surface_sample()), stream)));
  EXPECT_FALSE(torch::equal(first, matrix(layer, operators, stream.substream(1))));
  layer->eval();
  const Tensor alpha = matrix(layer, operators, stream);
  EXPECT_LE((alpha.sum(1) - 1).abs().max().item<double>(), 1e-12);
}

TEST_P(OneSide, TheMeanOverSignalsIsTheUndroppedValue) {
  const torch::NoGradGuard no_grad;
  const ComplexOperators operators(surface_sample());
  SimplicialLayer layer = averaging_layer(lower_);
  const std::int64_t signals = 4000;
  ForwardContext context;
  context.dropout = stream;
  const Tensor y =
      layer->forward(operators, {{}, torch::ones({signals, operators.count(1), 1}, torch::kFloat64)}, context)
          .signals[1];
  // Each row is Σ_j m_ij/|N_i|: mean 1, variance at most p/(1 − p).
  EXPECT_LE((y.mean(0) - 1).abs().max().item<double>(), 5 * std::sqrt(p / (1 - p) / signals));
  EXPECT_GE(y.var(0).min().item<double>(), 0.01);
}

TEST(AttentionDropout, WithoutAStreamTorchsSeedGovernsIt) {
  const ComplexOperators operators(surface_sample());
  SimplicialLayer layer = averaging_layer(true);
  const Cochains x = {{}, torch::ones({operators.count(1), 1}, torch::kFloat64)};
  torch::manual_seed(1);
  const Cochains first = layer->forward(operators, x);
  const Cochains next = layer->forward(operators, x);
  torch::manual_seed(1);
  EXPECT_EQ(largest_difference(first, layer->forward(operators, x)), 0);
  EXPECT_GT(largest_difference(first, next), 0);
}

// A part draws the mask of its key, alone and in any batch.
class DroppedSamples : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, DroppedSamples, testing::ValuesIn(layer_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(DroppedSamples, BatchIsItsPartsWithDropout) {
  const torch::NoGradGuard no_grad;
  SimplicialLayerOptions options = GetParam().options;
  options.dropout = 0.3;
  options.attention_dropout = 0.5;
  SimplicialLayer layer = make_layer(options);
  layer->train();
  ForwardContext context;
  context.dropout = stream;
  context.signal_keys = torch::tensor({5, 11});
  const std::vector<SimplicialComplex> parts = part_samples();
  std::vector<std::int32_t> keys;
  Cochains batch_x(4), expected(4), other_keys(4);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    keys.push_back(static_cast<std::int32_t>(100 + 7 * part));
    const auto alone = [&](std::int32_t key) {
      return ComplexOperators(disjoint_union(std::span(&parts[part], 1)), {}, {key});
    };
    const Cochains x = sample_signals(parts[part], options, concat("part", part, "."), {2});
    const Cochains y = layer->forward(alone(keys.back()), x, context).signals;
    const Cochains other = layer->forward(alone(1), x, context).signals;
    for (int k = 0; k <= 3; ++k) {
      batch_x[k] = part == 0 ? x[k] : torch::cat({batch_x[k], x[k]}, -2);
      expected[k] = part == 0 ? y[k] : torch::cat({expected[k], y[k]}, -2);
      other_keys[k] = part == 0 ? other[k] : torch::cat({other_keys[k], other[k]}, -2);
    }
  }
  const ComplexOperators batch(disjoint_union(parts), {}, keys);
  const Cochains y = layer->forward(batch, batch_x, context).signals;
  EXPECT_LE(largest_difference(y, expected), 1e-12 * scale(expected));
  EXPECT_GE(largest_difference(y, other_keys), 1e-3);

  // A signal draws the mask of its key, whatever stands beside it.
  Cochains second;
  for (const Tensor& signal : batch_x) second.push_back(signal[1]);
  ForwardContext of_second = context;
  of_second.signal_keys = torch::tensor({11});
  Cochains y_second;
  for (const Tensor& signal : y) y_second.push_back(signal[1]);
  EXPECT_LE(largest_difference(layer->forward(batch, second, of_second).signals, y_second), 1e-12 * scale(y));
}

// y = x times the mask.
SimplicialLayer copying_layer() {
  SimplicialLayerOptions options;
  options.in_channels = options.out_channels = 3;
  options.lower = options.upper = {.own = 0, .neighbor = 0, .first = 0};
  options.harmonic = HarmonicKind::skip;
  options.activation = Activation::identity;
  options.dropout = p;
  SimplicialLayer layer(options);
  layer->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  layer->weight("harmonic").copy_(torch::eye(3, torch::kFloat64).unsqueeze(1));
  return layer;
}

TEST(FeatureDropout, KeepsEntriesTimesTheInverseProbability) {
  const torch::NoGradGuard no_grad;
  const ComplexOperators operators(surface_sample());
  SimplicialLayer layer = copying_layer();
  Cochains x;
  for (int k = 0; k <= 2; ++k) x.push_back(torch::ones({500, operators.count(k), 3}, torch::kFloat64));
  ForwardContext context;
  context.dropout = stream;
  const Cochains y = layer->forward(operators, x, context).signals;
  for (const Tensor& signal : y) {
    const Tensor kept = (signal - 1 / (1 - p)).abs() < 1e-12;
    EXPECT_TRUE((kept | (signal == 0)).all().item<bool>());
    EXPECT_LE((signal.mean(0) - 1).abs().max().item<double>(), 5 * std::sqrt(p / (1 - p) / 500));
    EXPECT_GT(signal.std(-1).max().item<double>(), 0);  // features are dropped one by one
  }
  EXPECT_EQ(largest_difference(y, layer->forward(operators, x, context).signals), 0);
  EXPECT_FALSE(torch::equal(y[0].narrow(1, 0, 4), y[1].narrow(1, 0, 4)));
  context.dropout = stream.substream("other");
  EXPECT_GT(largest_difference(y, layer->forward(operators, x, context).signals), 0);
  layer->eval();
  EXPECT_EQ(largest_difference(x, layer->forward(operators, x, context).signals), 0);
}

}  // namespace
}  // namespace gsan
