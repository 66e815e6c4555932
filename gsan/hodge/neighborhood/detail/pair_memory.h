#pragma once
// What lists of neighbour pairs may take, checked before they are made.

#include <cstdint>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/topology/budget.h"

namespace gsan {

/// How many pairs, of how many simplices of which order.
struct PairCount {
  int k;
  std::int64_t simplices, pairs;
};

/// Throws Fault::resource unless the pairs fit at so many bytes each.
inline void check_pair_memory(const char* who, const PairCount& count, double pair_bytes,
                              double simplex_bytes, std::size_t max_memory) {
  check_memory({.max_memory = max_memory}, who,
               pair_bytes * static_cast<double>(count.pairs) +
                   simplex_bytes * static_cast<double>(count.simplices) + 8,
               concat("the ", count.pairs, " neighbour pairs of the ", count.simplices,
                      " simplices of order ", count.k));
}

/// For a PairList: 4 bytes per pair and 8 per simplex.
inline void check_list_memory(const char* who, const PairCount& count, std::size_t max_memory) {
  check_pair_memory(who, count, 4, 8, max_memory);
}

/// For a Neighborhood: 13 bytes per pair and 12 per simplex, and numbers of pairs in int32.
inline void check_neighborhood_memory(const char* who, const PairCount& count, std::size_t max_memory) {
  check_pair_memory(who, count, 13, 12, max_memory);
  if (count.pairs > std::numeric_limits<std::int32_t>::max()) {
    fail(Fault::resource, who, ": order ", count.k, " has ", count.pairs, " neighbour pairs, more than the ",
         std::numeric_limits<std::int32_t>::max(), " that a list can number; use a smaller complex");
  }
}

}  // namespace gsan
