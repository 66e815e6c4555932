#pragma once
// What a dataset is, before any task looks at it. One struct per kind of data, whoever it comes from.

#include <string>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// Many signals on one complex, each with a label.
struct SignalDataset {
  std::string name;
  SimplicialComplex complex;
  int order = 1;   ///< the order that carries the signals
  Tensor signals;  ///< [S, N_order, F] float64
  Tensor labels;   ///< int64 [S], 0 … classes − 1
  int classes = 2;
};

/// One complex with values on its simplices; NaN = unknown.
struct ValueDataset {
  std::string name;
  SimplicialComplex complex;
  std::vector<Tensor> values;  ///< per order 0 … K: float64 [N_k]; undefined = none on that order
  /// Where a value comes from, for splits that must not cut through a source: per order, the sources of each
  /// simplex as offsets int64 [N_k + 1] and numbers int32. Undefined where nothing is known of them.
  std::vector<Tensor> source_offsets{}, sources{};
  int source_count = 0;
  Tensor source_values{};  ///< float64 [source_count]: a simplex's value is the sum over its sources; or undefined
};

/// Many labelled complexes with features.
struct ComplexDataset {
  std::string name;
  std::vector<SimplicialComplex> complexes;
  std::vector<Cochains> features;  ///< per complex and order: float32 [N_k, widths[k]]
  std::vector<int> widths;         ///< per order 0 … K, the same for all complexes
  Tensor labels;                   ///< int64 [complexes], 0 … classes − 1
  int classes = 2;
  int order() const { return static_cast<int>(widths.size()) - 1; }
};

}  // namespace gsan
