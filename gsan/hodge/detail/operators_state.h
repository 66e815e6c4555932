#pragma once
// What copies of ComplexOperators share.

#include <any>
#include <atomic>
#include <vector>

#include "gsan/hodge/lazy_map.h"
#include "gsan/hodge/operators.h"
#include "gsan/hodge/padding.h"

namespace gsan {

struct ComplexOperators::State {
  DisjointUnion batch;
  OperatorOptions options;
  std::vector<ComplexOperators> parts;    // of joined(); else none
  std::atomic<bool> copies_late = false;  // something was taken from `source` after moved()
  std::vector<ComplexOperators> source;   // one: of moved() and padded(), what these derive from; else none
  PaddedSizes padding;                    // of padded(); else empty
  SimplicialComplex relabelled;           // of arranged(), rows in their order; else empty
  std::vector<Tensor> sources;            // of arranged(): int64 [N_k] per order 0 … K; else none
  std::vector<Tensor> flips;              // of arranged(): int8 [N_k], where `relabelled` has other signs
  std::vector<std::int32_t> keys;         // of the parts
  std::vector<Index> no_rows;             // parts of an order without simplices
  std::vector<Incidence> incidences;      // B_0 … B_{K+1}
  std::vector<Tensor> signs;              // of a re-orientation: int8 [N_k] per order 0 … K; empty = none
  LazyMap<DerivedKey, std::any> derived;
};

}  // namespace gsan
