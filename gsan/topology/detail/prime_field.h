#pragma once
// Arithmetic in F_p for a prime p < 2^31: elements are 0 … p − 1 in 32 bits.

#include <cstdint>

#include "gsan/core/check.h"

namespace gsan {

class PrimeField {
 public:
  using Element = std::uint32_t;

  /// `who` names the caller in the error for a p that is not a prime below 2^31.
  PrimeField(std::int64_t p, const char* who)
      : p_(static_cast<Element>(p)),
        reciprocal_(p > 0 ? ~std::uint64_t{0} / static_cast<std::uint64_t>(p) : 0) {
    GSAN_CHECK(p >= 2 && p < (std::int64_t{1} << 31), who,
               ": the field needs a prime p with 2 <= p < 2^31, got ", p);
    for (std::int64_t divisor = 2; divisor * divisor <= p; ++divisor) {
      GSAN_CHECK(p % divisor != 0, who, ": the field needs a prime p, got ", p, " = ", divisor, " * ",
                 p / divisor);
    }
  }

  Element negative(Element a) const { return a == 0 ? 0 : p_ - a; }
  Element product(Element a, Element b) const { return reduce(std::uint64_t{a} * b); }

  /// x modulo p, without a division (Barrett): the estimate of the quotient is at most 1 short.
  Element reduce(std::uint64_t x) const {
    __extension__ using Wide = unsigned __int128;
    const auto q = static_cast<std::uint64_t>(static_cast<Wide>(x) * reciprocal_ >> 64);
    const auto r = static_cast<Element>(x - q * p_);
    return r >= p_ ? r - p_ : r;
  }

  /// a^{-1} for a ≠ 0 (Euclid: throughout, s · a ≡ r modulo p).
  Element inverse(Element a) const {
    std::int64_t r0 = p_, r1 = a, s0 = 0, s1 = 1;
    while (r1 != 0) {
      const std::int64_t q = r0 / r1, r2 = r0 - q * r1, s2 = s0 - q * s1;
      r0 = r1, r1 = r2, s0 = s1, s1 = s2;
    }
    return static_cast<Element>(s0 < 0 ? s0 + p_ : s0);
  }

 private:
  Element p_;
  std::uint64_t reciprocal_;  // ⌊(2^64 − 1) / p⌋
};

}  // namespace gsan
