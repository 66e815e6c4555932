#include "gsan/hodge/polynomial.h"

#include "gsan/core/check.h"

namespace gsan {
namespace {

void check_taps(const char* who, std::span<const Tensor> taps) {
  GSAN_CHECK(!taps.empty(), who, ": at least one tap is needed, got none");
  for (std::size_t p = 0; p < taps.size(); ++p) {
    GSAN_CHECK(taps[p].defined() && taps[p].sizes() == taps[0].sizes(), who,
               ": every tap must have the shape ", taps[0].defined() ? taps[0].sizes() : at::IntArrayRef{},
               " of the first, but tap ", p, " has ",
               taps[p].defined() ? concat(taps[p].sizes()) : "none (undefined)");
  }
}

}  // namespace

Tensor polynomial(const Shift& shift, std::span<const Tensor> taps, int first_power) {
  check_taps("polynomial", taps);
  GSAN_CHECK(first_power >= 0, "polynomial: the first power must not be negative, got ", first_power);
  // T_0 + S (T_1 + S (T_2 + …)), then S^first_power
  Tensor sum = taps.back();
  for (std::size_t p = taps.size() - 1; p-- > 0;) sum = shift.apply_onto(taps[p], sum);
  for (int power = 0; power < first_power; ++power) sum = shift.apply(sum);
  return sum;
}

Tensor chebyshev_polynomial(const Shift& shift, std::span<const Tensor> taps) {
  check_taps("chebyshev_polynomial", taps);
  if (taps.size() == 1) return taps[0];
  // b_p = taps[p] + 2 S b_{p+1} − b_{p+2}; the sum is taps[0] + S b_1 − b_2.
  Tensor b = taps.back(), above;
  const auto less_above = [&](const Tensor& tap) { return above.defined() ? tap - above : tap; };
  for (std::size_t p = taps.size() - 1; p-- > 1;) {
    const Tensor below = shift.apply_onto(less_above(taps[p]), b, 2);
    above = b;
    b = below;
  }
  return shift.apply_onto(less_above(taps[0]), b);
}

std::vector<Tensor> powers_of(const Shift* shift, const Tensor& x, int first, int count) {
  Tensor lowest = x;
  for (int p = 0; p < first; ++p) lowest = shift->apply(lowest);
  std::vector<Tensor> all;
  for (int p = 0; p < count; ++p) all.push_back(p == 0 ? lowest : shift->apply(all.back()));
  return all;
}

std::vector<Tensor> chebyshev_powers_of(const Shift& shift, const Tensor& x, int highest) {
  std::vector<Tensor> all{x};
  if (highest > 0) all.push_back(shift.apply(x));
  while (static_cast<int>(all.size()) <= highest)
    all.push_back(2 * shift.apply(all.back()) - all[all.size() - 2]);
  return all;
}

}  // namespace gsan
