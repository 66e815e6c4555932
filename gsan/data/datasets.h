#pragma once
// What a dataset is, before any task looks at it. One struct per kind of data, whoever it comes from.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/data/item_marks.h"
#include "gsan/hodge/operators.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// A label that nobody knows: such items are only predicted.
inline constexpr std::int64_t unknown_label = -1;

/// Many signals on one complex, each with a label.
struct SignalDataset {
  std::string name;
  SimplicialComplex complex;
  int order = 1;   ///< the order that carries the signals
  Tensor signals;  ///< [S, N_order, F] float64
  Tensor labels;   ///< int64 [S], 0 … classes − 1 or unknown_label
  int classes = 2;
  std::vector<std::string> class_names{};  ///< empty: the numbers
  std::vector<std::string> item_names{};   ///< of the signals; empty: the numbers
  std::vector<std::string> remarks{};  ///< what printed numbers on these data really show, a sentence each
  Tensor points{};    ///< where the vertices are, for pictures: float64 [N_0, d]; undefined: nobody knows
  ItemMarks marks{};  ///< of the signals
};

/// One complex with values, or classes, on its simplices; NaN = unknown.
struct ValueDataset {
  std::string name;
  SimplicialComplex complex;
  std::vector<Tensor> values;  ///< per order 0 … K: float64 [N_k]; undefined = none on that order
  /// Where a value comes from, for splits that must not cut through a source: per order, the sources of each
  /// simplex as offsets int64 [N_k + 1] and numbers int32. Undefined where nothing is known of them.
  std::vector<Tensor> source_offsets{}, sources{};
  int source_count = 0;
  Tensor source_values{};  ///< float64 [source_count]: a simplex's value is the sum over its sources; or
                           ///< undefined
  /// What else is known of the simplices: per order float64 [N_k, F_k], undefined = nothing.
  Cochains features{};
  /// Not empty: values are numbers of these classes.
  std::vector<std::string> class_names{};
  std::vector<std::string> vertex_names{};  ///< empty: the numbers
  std::vector<std::string> remarks{};       ///< as in SignalDataset
  std::vector<ItemMarks> marks{};           ///< of the simplices, per order; orders may be missing
};

/// Many labelled complexes with features.
struct ComplexDataset {
  std::string name;
  std::vector<SimplicialComplex> complexes;
  std::vector<Cochains> features;  ///< per complex and order: float32 [N_k, widths[k]]
  std::vector<int> widths;         ///< per order 0 … K, the same for all complexes
  bool has_features = true;        ///< false: what they carry was made up (1 on vertices)
  Tensor labels;                   ///< int64 [complexes], 0 … classes − 1 or unknown_label
  int classes = 2;
  std::vector<std::string> class_names{};  ///< empty: the numbers
  std::vector<std::string> item_names{};   ///< of the complexes; empty: the numbers
  ItemMarks marks{};                       ///< of the complexes
  int order() const { return static_cast<int>(widths.size()) - 1; }
};

/// One complex, and simplices of one order of which some are known to belong to it (1), some not (0).
struct CandidateDataset {
  std::string name;
  int order = 2;                   ///< k of the candidates
  SimplicialComplex complex;       ///< of order k: the lower orders, the candidates, and other k-simplices
  std::vector<bool> is_candidate;  ///< [N_k]; a k-simplex that is none belongs to the complex in every phase
  Tensor labels;                   ///< int64 [N_k]: 1, 0 or unknown_label; of candidates only
  Cochains features;               ///< per order below k: float64 [N, F]; undefined = nothing is known
  // As in ValueDataset, per order up to k.
  std::vector<Tensor> source_offsets{}, sources{};
  int source_count = 0;
  Tensor source_values{};
  std::vector<std::string> vertex_names{};  ///< empty: the numbers
  bool is_made_of_values = false;           ///< and so every label is known
  std::vector<std::string> remarks{};       ///< as in SignalDataset
  ItemMarks marks{};                        ///< of the k-simplices; of candidates only
};

}  // namespace gsan
