// Complexes and signals with something missing: defined, finite, of the right shape, differentiable.

#include <gtest/gtest.h>

#include "nn/layer_samples.h"

namespace gsan {
namespace {

class EdgeCases : public testing::TestWithParam<LayerSample> {
 protected:
  // Runs forward and backward and checks shapes and numbers.
  void expect_defined(const SimplicialLayerOptions& options, const ComplexOperators& operators, Cochains x) {
    SimplicialLayer layer = make_layer(options);
    for (Tensor& signal : x)
      if (signal.defined()) signal.requires_grad_();
    const Cochains y = layer->forward(operators, x);
    ASSERT_EQ(y.size(), static_cast<std::size_t>(options.order) + 1);
    std::vector<std::int64_t> leading;
    for (const Tensor& signal : x)
      if (signal.defined()) leading.assign(signal.sizes().begin(), signal.sizes().end() - 2);
    Tensor sum = torch::zeros({}, torch::kFloat64);
    for (int k = 0; k <= options.order; ++k) {
      ASSERT_EQ(y[k].defined(), options.is_active(k));
      if (!y[k].defined()) continue;
      std::vector<std::int64_t> shape = leading;
      shape.insert(shape.end(), {operators.count(k), options.output_channels()});
      EXPECT_EQ(y[k].sizes(), at::IntArrayRef(shape)) << "order " << k;
      EXPECT_TRUE(y[k].isfinite().all().item<bool>()) << "order " << k;
      sum = sum + y[k].sum();
    }
    if (!sum.requires_grad()) return;  // nothing reached any output
    sum.backward();
    const auto is_finite = [](const Tensor& gradient) {
      return !gradient.defined() || gradient.isfinite().all().item<bool>();
    };
    for (const Tensor& signal : x) EXPECT_TRUE(!signal.defined() || is_finite(signal.grad()));
    for (const auto& item : layer->named_parameters())
      EXPECT_TRUE(is_finite(item.value().grad())) << item.key();
  }

  void expect_defined(const SimplicialComplex& complex) {
    const SimplicialLayerOptions& options = GetParam().options;
    const ComplexOperators operators(complex);
    expect_defined(options, operators, sample_signals(complex, options));
    expect_defined(options, operators, sample_signals(complex, options, "many", {2}));
    expect_defined(options, operators, sample_signals(complex, options, "none", {0}));
  }
};
INSTANTIATE_TEST_SUITE_P(EveryLayer, EdgeCases, testing::ValuesIn(layer_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(EdgeCases, NoTriangles) { expect_defined(ComplexBuilder().add({0, 1}).add({1, 2}).build()); }
TEST_P(EdgeCases, NoEdges) { expect_defined(ComplexBuilder().add_vertices(3).build()); }
TEST_P(EdgeCases, AnIsolatedVertexAmongTriangles) {
  expect_defined(ComplexBuilder().add({1, 2, 3}).add_vertices(5).build());
}
TEST_P(EdgeCases, ASingleVertex) { expect_defined(ComplexBuilder().add_vertices(1).build()); }
TEST_P(EdgeCases, AnEmptyComplex) { expect_defined(SimplicialComplex()); }

TEST_P(EdgeCases, ABatchWithEmptyElements) {
  const SimplicialLayerOptions& options = GetParam().options;
  for (const auto& parts : {part_samples(), std::vector<SimplicialComplex>{},
                            std::vector<SimplicialComplex>{SimplicialComplex(), SimplicialComplex()}}) {
    const ComplexOperators operators(disjoint_union(parts));
    expect_defined(options, operators, sample_signals(operators.complex(), options));
  }
}

// The absence of a signal is a zero signal.
TEST_P(EdgeCases, UndefinedSignalsAreZeros) {
  const SimplicialLayerOptions& options = GetParam().options;
  const ComplexOperators operators(solid_sample());
  SimplicialLayer layer = make_layer(options);
  for (int subset = 0; subset < 16; ++subset) {
    Cochains x = sample_signals(operators.complex(), options, "partial", {2}), zeros = x;
    for (int k = 0; k <= 3; ++k) {
      if (subset >> k & 1) continue;
      x[k] = Tensor();
      zeros[k] = torch::zeros_like(zeros[k]);
    }
    if (subset == 0) {  // nothing tells the leading dimension
      for (Tensor& signal : zeros) signal = signal[0];
    }
    EXPECT_LE(largest_difference(layer->forward(operators, x), layer->forward(operators, zeros)), 1e-13)
        << subset;
    if (subset <= 2) expect_defined(options, operators, x);
  }
  // Trailing orders may be left out altogether.
  const Cochains all = sample_signals(operators.complex(), options);
  EXPECT_EQ(largest_difference(layer->forward(operators, {all[0], all[1], {}, {}}),
                               layer->forward(operators, {all[0], all[1]})),
            0);
}

TEST_P(EdgeCases, AComplexOfLowerOrderThanTheLayer) { expect_defined(surface_sample()); }

TEST_P(EdgeCases, OrderZeroLayersAndShortFilters) {
  for (const int J : {1, 2, 3}) {
    for (const int order : {0, 1}) {
      SimplicialLayerOptions options = GetParam().options;
      options.order = order;
      options.set_dirac_taps(J);
      const SimplicialComplex graph = ComplexBuilder().add({0, 1}).add({1, 2}).add_vertices(4).build();
      const SimplicialComplex complex = order == 0 ? ComplexBuilder().add_vertices(4).build() : graph;
      expect_defined(options, ComplexOperators(complex), sample_signals(complex, options));
    }
  }
}

TEST(EdgeCase, JOfOneHasNoAttention) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention);
  options.set_dirac_taps(1);
  SimplicialLayer attention = make_layer(options);
  SimplicialLayer convolution = make_layer(options.set_shift(ShiftKind::hodge));
  EXPECT_EQ(attention->parameters().size(), convolution->parameters().size());
  const ComplexOperators operators(solid_sample());
  const Cochains x = sample_signals(operators.complex(), options);
  EXPECT_EQ(largest_difference(attention->forward(operators, x), convolution->forward(operators, x)), 0);
}

TEST(EdgeCase, AVertexSeesItselfAlone) {
  // α = 1 on the self term: the vertex keeps Σ_p z W_p, and the bias where there is one.
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 1);
  options.harmonic = HarmonicKind::none;
  options.activation = Activation::identity;
  const ComplexOperators operators(ComplexBuilder().add_vertices(1).build());
  const Tensor z = random_signal(1, 2, "z", torch::kFloat64);
  for (const bool bias : {false, true}) {
    options.bias = bias;
    SimplicialLayer layer = make_layer(options);
    Tensor expected = z.mm(layer->weight("own_1").squeeze(2).sum(1));
    if (bias) expected = expected + layer->bias(0);
    EXPECT_LE((layer->forward(operators, {z})[0] - expected).abs().max().item<double>(), 1e-14) << bias;
  }
}

// Heads are layers of their own: concat puts them side by side, mean averages before σ.
TEST(Heads, AreLayersSideBySideOrAveraged) {
  const torch::NoGradGuard no_grad;
  for (const LayerSample& s : layer_samples()) {
    SimplicialLayerOptions options = s.options;
    options.heads = 3;
    options.head_mode = HeadMode::concat;
    options.activation = Activation::identity;
    SimplicialLayer all = make_layer(options);
    options.head_mode = HeadMode::mean;
    options.activation = Activation::tanh;
    SimplicialLayer averaged = make_layer(options);  // the same parameters
    options.heads = 1;
    options.activation = Activation::identity;
    const ComplexOperators operators(solid_sample());
    const Cochains x = sample_signals(operators.complex(), options);
    const Cochains y = all->forward(operators, x), mean = averaged->forward(operators, x);
    Cochains sum(4);
    for (int head = 0; head < 3; ++head) {
      SimplicialLayer one = make_layer(options);
      const auto source = all->named_parameters();
      for (const auto& item : one->named_parameters()) {
        const Tensor& from = source[item.key()];
        for (std::int64_t d = 0; d < from.dim(); ++d)
          if (from.size(d) != item.value().size(d)) item.value().copy_(from.narrow(d, head, 1));
      }
      const Cochains of_head = one->forward(operators, x);
      for (int k = 0; k <= 3; ++k) {
        EXPECT_LE((y[k].narrow(-1, 3 * head, 3) - of_head[k]).abs().max().item<double>(), 1e-12 * scale(y))
            << s.name;
        sum[k] = head == 0 ? of_head[k] : sum[k] + of_head[k];
      }
    }
    for (int k = 0; k <= 3; ++k)
      EXPECT_LE((mean[k] - (sum[k] / 3).tanh()).abs().max().item<double>(), 1e-11) << s.name;
  }
}

TEST(Clone, GivesTheSameOutputsAndItsOwnParameters) {
  const torch::NoGradGuard no_grad;
  for (const LayerSample& s : layer_samples()) {
    SimplicialLayer layer = make_layer(s.options);
    SimplicialLayer copy(std::dynamic_pointer_cast<SimplicialLayerImpl>(layer->clone()));
    const ComplexOperators operators(solid_sample());
    const Cochains x = sample_signals(operators.complex(), s.options);
    const Cochains y = layer->forward(operators, x);
    EXPECT_EQ(largest_difference(y, copy->forward(operators, x)), 0) << s.name;
    for (const Tensor& parameter : layer->parameters()) parameter.zero_();
    EXPECT_EQ(largest_difference(y, copy->forward(operators, x)), 0) << s.name;
    EXPECT_GT(largest_difference(y, layer->forward(operators, x)), 0) << s.name;
  }
}

TEST(FirstValues, ComeFromTheStreamOrFromTorchsSeed) {
  const SimplicialLayerOptions options = sample_options(ShiftKind::attention);
  const auto same = [](const SimplicialLayer& a, const SimplicialLayer& b) {
    for (std::size_t i = 0; i < a->parameters().size(); ++i)
      if (!torch::equal(a->parameters()[i], b->parameters()[i])) return false;
    return true;
  };
  torch::manual_seed(7);
  const SimplicialLayer first(options), second(options);
  torch::manual_seed(7);
  EXPECT_TRUE(same(first, SimplicialLayer(options)));
  EXPECT_FALSE(same(first, second));
  EXPECT_TRUE(same(make_layer(options, 1), make_layer(options, 1)));
  EXPECT_FALSE(same(make_layer(options, 1), make_layer(options, 2)));
}

// Weights of both float types, from float32 signals too.
TEST(FloatTypes, AgreeToRounding) {
  const torch::NoGradGuard no_grad;
  for (const LayerSample& s : layer_samples()) {
    SimplicialLayer layer = make_layer(s.options);
    for (const Tensor& parameter : layer->parameters()) parameter.copy_(parameter.to(torch::kFloat32));
    const ComplexOperators operators(solid_sample());
    Cochains x = sample_signals(operators.complex(), s.options);
    for (Tensor& signal : x) signal = signal.to(torch::kFloat32).to(torch::kFloat64);
    const Cochains y = layer->forward(operators, x);
    layer->to(torch::kFloat32);
    for (Tensor& signal : x) signal = signal.to(torch::kFloat32);
    Cochains y32 = layer->forward(operators, x);
    for (Tensor& signal : y32) {
      EXPECT_EQ(signal.scalar_type(), torch::kFloat32);
      signal = signal.to(torch::kFloat64);
    }
    EXPECT_LE(largest_difference(y, y32), 1e-4 * scale(y)) << s.name;
  }
}

}  // namespace
}  // namespace gsan
