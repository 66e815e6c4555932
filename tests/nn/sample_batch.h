#pragma once
// A few complexes, empty ones among them, with signals: alone and as one batch.

#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/disjoint_union.h"

#include "support/random_complex.h"

namespace gsan {

struct SampleBatch {
  std::vector<SimplicialComplex> parts;
  std::vector<Cochains> part_signals;  ///< per part, orders 0 … order
  ComplexOperators operators;
  Cochains signals;  ///< the parts' signals, one after the other
};

/// Float64 signals of these widths on the orders 0 … widths.size() − 1 of 8 random complexes, one of each
/// shape (random_complex.h), and of `further` ones, with further dimensions `leading` in front.
inline SampleBatch sample_batch(std::uint64_t seed, const std::vector<int>& widths,
                                const std::vector<std::int64_t>& leading = {},
                                const std::vector<SimplicialComplex>& further = {}) {
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t p = 0; p < 8; ++p) parts.push_back(random_complex(8 * seed + p));
  parts.insert(parts.end(), further.begin(), further.end());
  SampleBatch batch{parts, {}, ComplexOperators(disjoint_union(parts)), {}};
  std::int64_t copies = 1;
  for (const std::int64_t size : leading) copies *= size;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Cochains x;
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const std::int64_t rows = parts[p].count(static_cast<int>(k));
      std::vector<std::int64_t> shape = leading;
      shape.insert(shape.end(), {rows, widths[k]});
      x.push_back(random_signal(copies * rows, widths[k], concat("x", seed, ".", p, ".", k), torch::kFloat64)
                      .view(shape));
    }
    batch.part_signals.push_back(x);
  }
  for (std::size_t k = 0; k < widths.size(); ++k) {
    std::vector<Tensor> rows;
    for (const Cochains& x : batch.part_signals) rows.push_back(x[k]);
    batch.signals.push_back(torch::cat(rows, -2));
  }
  return batch;
}

}  // namespace gsan
