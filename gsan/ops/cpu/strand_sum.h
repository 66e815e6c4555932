#pragma once
// Sums of many terms in eight strands, which the compiler keeps in vector registers; the order
// of the additions is fixed.

#include <cstdint>

namespace gsan::ops {

/// Σ term(d) for d < count.
template <class T, class Term>
inline T strand_sum(std::int64_t count, const Term& term) {
  constexpr int strands = 8;
  T sums[strands] = {};
  std::int64_t d = 0;
  for (; d + strands <= count; d += strands)
    for (int s = 0; s < strands; ++s) sums[s] += term(d + s);
  for (int s = 0; d < count; ++d, ++s) sums[s] += term(d);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace gsan::ops
