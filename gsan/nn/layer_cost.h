#pragma once
// What a layer costs: parameters from its options alone, arithmetic and memory on a given complex.
// docs/complexity.md derives the formulas.

#include <cstdint>
#include <vector>

#include "gsan/nn/layer_terms.h"
#include "gsan/topology/complex.h"

namespace gsan {

struct ParameterCount {
  std::int64_t filters = 0;    ///< W of own- and neighbour-order terms
  std::int64_t attention = 0;  ///< those of the mechanism
  std::int64_t metric = 0;     ///< MLPs of the learned metric
  std::int64_t harmonic = 0;   ///< W_h
  std::int64_t identity = 0;   ///< W_0
  std::int64_t bias = 0;

  std::int64_t total() const { return filters + attention + metric + harmonic + identity + bias; }
};

ParameterCount count_parameters(const SimplicialLayerOptions& options);

/// The numbers of a complex on which the cost depends, for orders 0 … K.
struct ComplexSize {
  std::vector<std::int64_t> simplices;    ///< N_k
  std::vector<std::int64_t> lower_pairs;  ///< pairs of lower neighbours, each simplex with itself included
  std::vector<std::int64_t> upper_pairs;
  std::int64_t signals = 1;  ///< how many signals live on the complex

  ComplexSize(const SimplicialComplex& complex, int order);
  std::int64_t incidences(int k) const;  ///< non-zeros of B_k
  std::int64_t pairs(int k, Side side) const;
  double star_statistic(int k) const;  ///< hodge/neighborhood/star_statistics.h
};

struct LayerCost {
  // Floating-point operations of one forward pass (a multiply and an add are two).
  double products = 0;  ///< Z W and what the scores are made of
  double shifts =
      0;  ///< every application of a Laplacian or attentional operator, and couplings between orders
  double scores = 0;    ///< per pair: score, exponential, normalisation
  double harmonic = 0;  ///< steps of the projector

  // Bytes, on the CPU.
  double structure = 0;    ///< neighbour pairs, built once per complex; stars need none
  double activations = 0;  ///< input, output and what one forward pass keeps for the backward pass
  double workspace = 0;    ///< what the two passes have besides at their peak: gradients, scratch

  double memory() const { return structure + activations + workspace; }  ///< without the weights
  double flops() const { return products + shifts + scores + harmonic; }
};

LayerCost forward_cost(const SimplicialLayerOptions& options, const ComplexSize& size,
                       int bytes_per_number = 4);

}  // namespace gsan
