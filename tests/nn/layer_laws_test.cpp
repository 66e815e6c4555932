// Laws of spec 8 for every kind of layer: equivariance, simplicial awareness, batch = parts, many
// signals = one by one, uniform averaging.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "hodge/dense_reference.h"
#include "nn/layer_samples.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// New names that keep the order of the ends of every edge, so that every simplex keeps its orientation while
// rows move: a random one of the vertex orders in which each vertex comes after its smaller neighbours.
std::vector<Vertex> orientation_keeping_names(const SimplicialComplex& complex, std::uint64_t seed) {
  const Index n = complex.count(0);
  std::vector<int> waiting(n, 0);
  for (Index e = 0; e < complex.count(1); ++e) ++waiting[complex.vertices(1, e)[1]];
  std::vector<Vertex> ready, names(n, 0);
  for (Vertex v = 0; v < n; ++v)
    if (waiting[v] == 0) ready.push_back(v);
  RandomStream stream(seed, "names");
  for (Vertex next = 0; !ready.empty(); ++next) {
    std::swap(ready[stream.below(ready.size())], ready.back());
    const Vertex v = ready.back();
    ready.pop_back();
    names[v] = next;
    for (Index e = 0; e < complex.count(1); ++e) {
      const auto ends = complex.vertices(1, e);
      if (ends[0] == v && --waiting[ends[1]] == 0) ready.push_back(ends[1]);
    }
  }
  return names;
}

std::vector<Vertex> random_names(const SimplicialComplex& complex, std::uint64_t seed) {
  return random_permutation(complex.count(0), seed);
}

bool moves_rows(const MappedComplex& mapped, int k) {
  return k < static_cast<int>(mapped.source.size()) &&
         !std::is_sorted(mapped.source[k].begin(), mapped.source[k].end());
}

bool flips_signs(const MappedComplex& mapped) {
  return std::any_of(mapped.sign.begin(), mapped.sign.end(), [](const auto& signs) {
    return std::any_of(signs.begin(), signs.end(), [](int s) { return s < 0; });
  });
}

class Samples : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, Samples, testing::ValuesIn(layer_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

class SignedSamples : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, SignedSamples, testing::ValuesIn(signed_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

// ‖layer(P x) − P layer(x)‖ for the complex with other vertex names.
double permutation_defect(SimplicialLayer& layer, const SimplicialComplex& complex,
                          const MappedComplex& mapped, const std::vector<std::int64_t>& leading = {}) {
  const torch::NoGradGuard no_grad;
  return laws::renaming_defect(map_of(layer), ComplexOperators(complex), mapped,
                               sample_signals(complex, layer->options(), "signal", leading));
}

// Theorem 1: simplices permuted, B with them. Any σ, signed or not, as long as no simplex is re-oriented.
TEST_P(Samples, AreEquivariantUnderPermutationsOfTheSimplices) {
  SimplicialLayerOptions options = GetParam().options;
  options.activation = Activation::elu;
  options.bias = true;
  SimplicialLayer layer = make_layer(options);
  std::set<int> moved_orders;
  std::vector<SimplicialComplex> complexes{solid_sample(), surface_sample()};
  for (std::uint64_t seed = 3; seed < 9; ++seed) complexes.push_back(random_complex(seed));
  for (const SimplicialComplex& complex : complexes) {
    const MappedComplex mapped = relabel(complex, orientation_keeping_names(complex, 7));
    ASSERT_FALSE(flips_signs(mapped));
    for (int k = 0; k <= 3; ++k)
      if (moves_rows(mapped, k)) moved_orders.insert(k);
    EXPECT_LE(permutation_defect(layer, complex, mapped), 1e-11) << complex;
    EXPECT_LE(permutation_defect(layer, complex, mapped, {2}), 1e-11) << complex;
  }
  EXPECT_GE(moved_orders.size(), 3u);  // or the test says nothing
}

// Other vertex names change the sorted order inside simplices: rows move and change their sign. That is a
// permutation together with a re-orientation.
TEST_P(SignedSamples, AreEquivariantUnderReorientations) {
  SimplicialLayer layer = make_layer(GetParam().options);
  ASSERT_TRUE(is_odd(layer->options().activation));
  int flips = 0;
  std::vector<SimplicialComplex> complexes{solid_sample(), surface_sample()};
  for (std::uint64_t seed = 3; seed < 9; ++seed) complexes.push_back(random_complex(seed));
  for (const SimplicialComplex& complex : complexes) {
    const MappedComplex mapped = relabel(complex, random_names(complex, 5));
    flips += flips_signs(mapped);
    EXPECT_LE(permutation_defect(layer, complex, mapped), 1e-11) << complex;
  }
  EXPECT_GE(flips, 5);
}

// Every simplex turned round at once leaves B as it is: y(−x) = −y(x).
TEST_P(SignedSamples, AreOdd) {
  SimplicialLayer layer = make_layer(GetParam().options);
  const SimplicialComplex complex = solid_sample();
  const Cochains x = sample_signals(complex, layer->options());
  Cochains minus_x;
  for (const Tensor& signal : x) minus_x.push_back(-signal);
  const ComplexOperators operators(complex);
  Cochains y = layer->forward(operators, minus_x);
  for (Tensor& signal : y) signal = -signal;
  EXPECT_LE(largest_difference(y, layer->forward(operators, x)), 1e-12);
}

// Scores, metrics and even activations see the sign: without `signed`, or with another σ, the law fails.
TEST(Orientation, IsSeenByUnsignedAttentionMetricAndEvenActivations) {
  const SimplicialComplex complex = solid_sample();
  const MappedComplex mapped = relabel(complex, random_names(complex, 5));
  for (const LayerSample& s : layer_samples()) {
    SimplicialLayerOptions options = s.options;
    const bool learned = options.uses(ShiftKind::attention) || options.uses(ShiftKind::weighted);
    if (!learned) options.activation = Activation::relu;
    SimplicialLayer layer = make_layer(options);
    EXPECT_GE(permutation_defect(layer, complex, mapped), 1e-3) << s.name;
  }
}

// Vertices have no orientation: attention on vertices alone is equivariant under every renaming.
TEST(Orientation, MeansNothingToVertices) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 3);
  options.orders = {0};
  options.sharing = Sharing::none;
  SimplicialLayer layer = make_layer(options);
  const SimplicialComplex complex = solid_sample();
  EXPECT_LE(permutation_defect(layer, complex, relabel(complex, random_names(complex, 5))), 1e-12);
}

// One k-simplex more, everything else equal (it carries no signal itself): its faces notice.
class SimplicialAwareness : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, SimplicialAwareness, testing::ValuesIn(layer_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(SimplicialAwareness, HoldsForEveryOrder) {
  const torch::NoGradGuard no_grad;
  SimplicialLayerOptions options = GetParam().options;
  options.activation = Activation::identity;
  for (int k = 1; k <= 3; ++k) {
    SimplicialLayer layer = make_layer(options);
    // All k-simplices on 5 vertices, with and without the first one: the same orders below k.
    ComplexBuilder without, with;
    std::vector<Vertex> first;
    for (int subset = 0; subset < 32; ++subset) {
      std::vector<Vertex> simplex;
      for (Vertex v = 0; v < 5; ++v)
        if (subset >> v & 1) simplex.push_back(v);
      if (static_cast<int>(simplex.size()) != k + 1) continue;
      if (first.empty()) first = simplex;
      with.add(simplex);
      if (simplex != first) without.add(simplex);
    }
    const SimplicialComplex small = without.build(), large = with.build();
    const Index added = large.find(first).value();
    ASSERT_EQ(added, 0);
    for (int i = 0; i < k; ++i) ASSERT_EQ(small.count(i), large.count(i));
    ASSERT_EQ(small.count(k) + 1, large.count(k));

    const Cochains x = sample_signals(small, layer->options());
    Cochains longer = x;
    longer[k] = torch::cat({torch::zeros_like(x[k].narrow(0, 0, 1)), x[k]});
    const Cochains y = layer->forward(ComplexOperators(small), x);
    const Cochains y_longer = layer->forward(ComplexOperators(large), longer);
    // Rows of the faces of the new simplex.
    double change = 0;
    for (const Index face : large.faces(k, added))
      change = std::max(change, (y[k - 1][face] - y_longer[k - 1][face]).abs().max().item<double>());
    EXPECT_GE(change, 1e-3) << "order " << k;
  }
}

// The parts of one batch, alone and together: an output never depends on what else is in the batch.
void expect_batch_is_parts(const SimplicialLayerOptions& options, torch::ScalarType type, double tolerance) {
  const torch::NoGradGuard no_grad;
  SimplicialLayer layer = make_layer(options);
  layer->to(type);
  const std::vector<SimplicialComplex> parts = part_samples();
  std::vector<Cochains> x;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    x.push_back(sample_signals(parts[p], options, concat("part", p, ".")));
    for (Tensor& signal : x.back()) signal = signal.to(type);
  }
  EXPECT_LE(laws::batch_defect(map_of(layer), parts, x), tolerance);
}

TEST_P(Samples, BatchIsItsPartsInFloat64) {
  expect_batch_is_parts(GetParam().options, torch::kFloat64, 1e-12);
}

TEST_P(Samples, BatchIsItsPartsInFloat32) {
  expect_batch_is_parts(GetParam().options, torch::kFloat32, 1e-6);
}

TEST_P(Samples, ManySignalsAreTheSignalsOneByOne) {
  const torch::NoGradGuard no_grad;
  SimplicialLayer layer = make_layer(GetParam().options);
  const ComplexOperators operators(disjoint_union(part_samples()));
  const Cochains x = sample_signals(operators.complex(), layer->options(), "many", {2, 3});
  EXPECT_LE(laws::one_by_one_defect(map_of(layer), operators, x), 1e-12);
}

// a = 0: every score is 0, every neighbour weighs 1/|N_i|; the layer is a filter of averages.
TEST(ConstantScores, AverageOverTheNeighbours) {
  const torch::NoGradGuard no_grad;
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 2);
  options.harmonic = HarmonicKind::none;
  options.activation = Activation::identity;
  SimplicialLayer layer = make_layer(options);
  for (const LayerTerm& term : layer->terms()) layer->attention(term.attention)->parameter("a").zero_();
  const SimplicialComplex complex = surface_sample();
  const Cochains z = sample_signals(complex, options);
  const Cochains y = layer->forward(ComplexOperators(complex), z);

  const auto average = [&](int k, bool lower) {
    const Tensor L = lower ? dense_lower_laplacian(complex, k) : dense_upper_laplacian(complex, k);
    const Tensor neighbors = (L != 0).to(torch::kFloat64).fill_diagonal_(1);
    return neighbors / neighbors.sum(1, true);
  };
  for (int k = 0; k <= 2; ++k) {
    Tensor expected = torch::zeros({complex.count(k), 3}, torch::kFloat64);
    for (const bool lower : {true, false}) {
      if (lower ? k == 0 : k == 2) continue;
      const Tensor A = average(k, lower);
      const Tensor other =
          lower ? dense_boundary(complex, k).t().mm(z[k - 1]) : dense_boundary(complex, k + 1).mm(z[k + 1]);
      const std::string j = std::to_string(lower ? k : k + 1);
      const Tensor own = layer->weight("own_" + j).squeeze(2),
                   neighbor = layer->weight("neighbor_" + j).squeeze(2);
      expected += A.mm(z[k]).mm(own.select(1, 0)) + A.mm(A).mm(z[k]).mm(own.select(1, 1));
      expected += other.mm(neighbor.select(1, 0)) + A.mm(other).mm(neighbor.select(1, 1));
    }
    EXPECT_LE(distance(y[k], expected), 1e-12) << "order " << k;
  }
}

TEST_P(Samples, AttentionWeightsAreDistributionsOverTheNeighbours) {
  const torch::NoGradGuard no_grad;
  SimplicialLayer layer = make_layer(GetParam().options);
  const ComplexOperators operators(disjoint_union(part_samples()));
  const Cochains x = sample_signals(operators.complex(), layer->options(), "signal", {2});
  ForwardContext context;
  context.return_attention_weights = true;
  const LayerOutput output = layer->forward(operators, x, context);
  std::size_t expected = 0;
  for (const LayerTerm& term : layer->terms()) expected += !term.attention.empty();
  EXPECT_EQ(output.attention.size(), expected);
  for (const AttentionWeights& of : output.attention) {
    const Neighborhood& neighborhood = operators.neighborhood(of.order, of.side);
    ASSERT_EQ(of.weights.sizes(), at::IntArrayRef({2, neighborhood.pairs(), layer->options().heads}));
    EXPECT_TRUE(torch::equal(of.sources, neighborhood.sources));
    EXPECT_TRUE((of.weights > 0).all().item<bool>());
  }
  EXPECT_LE(laws::attention_row_defect(output, operators), 1e-12);
}

}  // namespace
}  // namespace gsan
