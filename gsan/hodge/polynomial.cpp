#include "gsan/hodge/polynomial.h"

#include "gsan/core/check.h"

namespace gsan {

Tensor polynomial(const Shift& shift, std::span<const Tensor> taps, int first_power) {
  GSAN_CHECK(!taps.empty(), "polynomial: at least one tap is needed, got none");
  GSAN_CHECK(first_power >= 0, "polynomial: the first power must not be negative, got ", first_power);
  for (std::size_t p = 0; p < taps.size(); ++p) {
    GSAN_CHECK(taps[p].defined() && taps[p].sizes() == taps[0].sizes(),
               "polynomial: every tap must have the shape ",
               taps[0].defined() ? taps[0].sizes() : at::IntArrayRef{}, " of the first, but tap ", p, " has ",
               taps[p].defined() ? concat(taps[p].sizes()) : "none (undefined)");
  }
  // T_0 + S (T_1 + S (T_2 + …)), then S^first_power
  Tensor sum = taps.back();
  for (std::size_t p = taps.size() - 1; p-- > 0;) sum = taps[p] + shift.apply(sum);
  for (int power = 0; power < first_power; ++power) sum = shift.apply(sum);
  return sum;
}

}  // namespace gsan
