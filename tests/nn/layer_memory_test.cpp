// What a whole layer keeps while it runs: linear in the neighbour pairs and in the signals, for every
// mechanism, signed or not.

#include <gtest/gtest.h>

#include "gsan/nn/layer_cost.h"
#include "gsan/topology/hex_grid.h"

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
  for (const Tensor& y : layer->forward(operators, x)) sum = sum + y.sum();
  sum.backward();
  return static_cast<double>(meter.peak()) - before;
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
      // Backward keeps as much again while it runs; |h| of signed layers is one more set of products.
      EXPECT_LT(peak_of(options, operators), 3 * cost.activations)
          << name << (is_equivariant ? ", signed" : "");
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

}  // namespace
}  // namespace gsan
