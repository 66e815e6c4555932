#pragma once
// Search in a sorted list from where the last search ended.

#include <algorithm>

#include "gsan/topology/complex.h"

namespace gsan {

/// The first position in at … end with value(position) ≥ x, or `end`. Costs the logarithm
/// of the distance moved, so walking along a list costs no more than its length.
template <class Value>
Index gallop(Value value, Index at, Index end, Vertex x) {
  if (at == end || value(at) >= x) return at;
  Index low = at, step = 1;  // value(low) < x
  while (step < end - low && value(low + step) < x) {
    low += step;
    step = std::min(2 * step, end - low);
  }
  Index high = std::min(low + step, end);
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (value(middle) < x ? low : high) = middle;
  }
  return high;
}

}  // namespace gsan
