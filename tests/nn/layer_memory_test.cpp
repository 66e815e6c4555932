// What a whole layer keeps while it runs: linear in the neighbour pairs and in the signals, for every
// mechanism, signed or not.

#include <gtest/gtest.h>

#include "gsan/hodge/neighborhood/star_statistics.h"
#include "gsan/nn/layer_cost.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/hex_grid.h"
#include "gsan/topology/random_graph.h"

#include "nn/layer_samples.h"
#include "support/memory_meter.h"

namespace gsan {
namespace {

// Bytes at the peak of one forward and backward pass beyond what was there.
double peak_of(const SimplicialLayerOptions& options, const ComplexOperators& operators) {
  SimplicialLayer layer = make_layer(options);
  layer->to(torch::kFloat32);
  Cochains x;
  for (int k = 0; k <= options.order; ++k)
    x.push_back(torch::randn({operators.count(k), options.in_channels}));
  for (const int k : options.active_orders())  // lists and operators of the complex are kept: not of the pass
    for (const Side side : {Side::lower, Side::upper}) operators.neighborhood(k, side);
  MemoryMeter meter;
  const double before = static_cast<double>(meter.current());
  Tensor sum = torch::zeros({});
  ForwardContext context;
  context.by_parts = false;  // what the cost speaks of; parts take less
  for (const Tensor& y : layer->forward(operators, x, context).signals) sum = sum + y.sum();
  sum.backward();
  return static_cast<double>(meter.peak()) - before;
}

// What tensors take at most is not more than the cost says, nor less than a share of it: the process holds
// more than its tensors, most where their blocks come and go (convolutions).
void expect_close(const LayerCost& cost, double peak, std::string_view name, double least = 0.6,
                  double most = 1) {
  const double estimate = cost.activations + cost.workspace;
  EXPECT_LT(peak, most * estimate) << name;
  EXPECT_GT(peak, least * estimate) << name;
}

// A hub: one vertex more, joined to all of a random graph, with its triangles.
SimplicialComplex hub_complex(Index vertices) {
  RandomStream random(0, "hub");
  std::vector<Edge> edges = barabasi_albert(vertices, 3, random);
  for (Vertex v = 0; v < vertices; ++v) edges.push_back({v, vertices});
  return clique_complex(edges, vertices + 1, 2);
}

TEST(LayerMemory, IsLinearInThePairsForEveryMechanism) {
  torch::manual_seed(0);
  const ComplexOperators operators(hex_grid(40, 40).complex);
  for (const auto& [mechanism, name] : EnumNames<Mechanism>::names) {
    for (const bool is_equivariant : {false, true}) {
      SimplicialLayerOptions options;
      options.in_channels = options.out_channels = options.attention_channels = 32;
      options.heads = 4;
      options.mechanism = mechanism;
      options.is_equivariant = is_equivariant;
      options.harmonic = HarmonicKind::skip;
      const LayerCost cost = forward_cost(options, ComplexSize(operators.complex(), 2));
      const bool is_plain_gat = mechanism == Mechanism::gat && !is_equivariant;
      expect_close(cost, peak_of(options, operators), name, is_plain_gat ? 0.6 : 0.3, is_plain_gat ? 1 : 1.5);
    }
  }
}

TEST(LayerMemory, GrowsWithTheComplexAsTheCostSays) {
  torch::manual_seed(0);
  const ComplexOperators small(hex_grid(15, 15).complex), large(hex_grid(60, 60).complex);
  SimplicialLayerOptions options;
  options.in_channels = options.out_channels = 16;
  const double ratio = peak_of(options, large) / peak_of(options, small);
  const double expected = forward_cost(options, ComplexSize(large.complex(), 2)).activations /
                          forward_cost(options, ComplexSize(small.complex(), 2)).activations;
  EXPECT_NEAR(ratio / expected, 1, 0.1);
}

bool has_pair_list(const ComplexOperators& operators, int k, Side side) {
  for (const DerivedKey& key : operators.derived_keys())
    if ((key.name == "pair_list" || key.name == "neighborhood") && key.numbers[0] == k &&
        key.numbers[1] == meets_in_faces(k, side))
      return true;
  return false;
}

TEST(LayerMemory, ListsNoPairsWhereStarsServe) {
  torch::manual_seed(0);
  const ComplexOperators operators(hub_complex(400));
  SimplicialLayerOptions options;
  options.in_channels = options.out_channels = 8;
  SimplicialLayer layer = make_layer(options);
  Cochains x;
  for (int k = 0; k <= 2; ++k) x.push_back(torch::randn({operators.count(k), 8}, torch::kFloat64));
  Tensor sum = torch::zeros({}, torch::kFloat64);
  for (const Tensor& y : layer->forward(operators, x)) sum = sum + y.sum();
  sum.backward();
  double listed = 0;
  for (int k = 0; k <= 2; ++k)
    for (const Side side : {Side::lower, Side::upper})
      if (has_pair_list(operators, k, side))
        listed += 4.0 * static_cast<double>(operators.pair_list(k, side).pairs()) +
                  8.0 * static_cast<double>(operators.count(k) + 1);
  EXPECT_FALSE(has_pair_list(operators, 1, Side::lower));
  EXPECT_TRUE(has_pair_list(operators, 1, Side::upper));
  const ComplexSize size(operators.complex(), 2);
  EXPECT_DOUBLE_EQ(size.star_statistic(1), star_statistic(operators.complex(), 1));
  EXPECT_EQ(forward_cost(options, size).structure, listed);
}

TEST(LayerMemory, IsWhatTheCostSaysAroundAHub) {
  torch::manual_seed(0);
  const ComplexOperators operators(hub_complex(3000));
  for (const double dropout : {0.0, 0.3}) {
    SimplicialLayerOptions options;
    options.in_channels = options.out_channels = 16;
    options.attention_dropout = dropout;
    expect_close(forward_cost(options, ComplexSize(operators.complex(), 2)), peak_of(options, operators),
                 dropout > 0 ? "dropout" : "plain");
  }
}

TEST(LayerMemory, OfConvolutionsAndMetricsIsWhatTheCostSays) {
  torch::manual_seed(0);
  const ComplexOperators operators(hex_grid(40, 40).complex);
  for (const ShiftKind shift : {ShiftKind::hodge, ShiftKind::weighted}) {
    SimplicialLayerOptions options;
    options.in_channels = options.out_channels = 16;
    options.set_dirac_taps(4).set_shift(shift);
    expect_close(forward_cost(options, ComplexSize(operators.complex(), 2)), peak_of(options, operators),
                 name_of(shift), 0.25);
  }
}

}  // namespace
}  // namespace gsan
