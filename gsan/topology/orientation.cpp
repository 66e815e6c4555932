#include "gsan/topology/orientation.h"

namespace gsan {

Orientation::Orientation(const SimplicialComplex& complex, std::vector<std::vector<std::int8_t>> signs)
    : signs_(std::move(signs)) {
  GSAN_CHECK(order() == complex.order(), "Orientation: one list of signs for each order 0 ... ",
             complex.order(), ", got ", signs_.size(), " lists");
  for (int k = 0; k <= order(); ++k) {
    GSAN_CHECK(signs_[k].size() == static_cast<std::size_t>(complex.count(k)), "Orientation: order ", k,
               " has ", complex.count(k), " simplices, got ", signs_[k].size(), " signs");
    for (std::size_t i = 0; i < signs_[k].size(); ++i) {
      GSAN_CHECK(signs_[k][i] == 1 || signs_[k][i] == -1, "Orientation: signs must be +1 or -1, got ",
                 int{signs_[k][i]}, " for simplex ", i, " of order ", k);
    }
  }
}

Orientation Orientation::identity(const SimplicialComplex& complex) {
  std::vector<std::vector<std::int8_t>> signs(complex.order() + 1);
  for (int k = 0; k <= complex.order(); ++k) signs[k].assign(complex.count(k), 1);
  return Orientation(std::move(signs));
}

Orientation Orientation::random(const SimplicialComplex& complex, const RandomStream& stream) {
  Orientation result = identity(complex);
  for (int k = 0; k <= complex.order(); ++k) {
    RandomStream coins = stream.substream(static_cast<std::uint64_t>(k));
    for (std::int8_t& sign : result.signs_[k]) sign = coins.below(2) == 0 ? 1 : -1;
  }
  return result;
}

std::span<const std::int8_t> Orientation::signs(int k) const {
  return k < 0 || k > order() ? std::span<const std::int8_t>() : std::span<const std::int8_t>(signs_[k]);
}

Orientation Orientation::then(const Orientation& other) const {
  Orientation result = *this;
  GSAN_CHECK(order() == other.order(), "Orientation::then: both must belong to one complex, got orders ",
             order(), " and ", other.order());
  for (int k = 0; k <= order(); ++k) {
    GSAN_CHECK(signs_[k].size() == other.signs_[k].size(),
               "Orientation::then: both must belong to one complex, got ", signs_[k].size(), " and ",
               other.signs_[k].size(), " signs of order ", k);
    other.apply<std::int8_t>(k, result.signs_[k]);
  }
  return result;
}

}  // namespace gsan
