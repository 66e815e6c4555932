#include "gsan/hodge/neighborhood/star_statistics.h"

namespace gsan {

double star_statistic(const SimplicialComplex& complex, int k) {
  if (k < 1 || complex.count(k) == 0) return 0;
  const auto offsets = complex.coface_offsets(k - 1);
  double squares = 0;
  for (std::size_t f = 0; f + 1 < offsets.size(); ++f) {
    const auto degree = static_cast<double>(offsets[f + 1] - offsets[f]);
    squares += degree * degree;
  }
  return squares / (static_cast<double>(complex.count(k)) * (k + 1));
}

AttentionKernel choose_kernel(double statistic, std::int64_t features) {
  constexpr double few = 12, many = 16;
  constexpr std::int64_t narrow = 32;
  if (statistic < few) return AttentionKernel::pairs;
  if (statistic > many) return AttentionKernel::stars;
  return features <= narrow ? AttentionKernel::stars : AttentionKernel::pairs;
}

}  // namespace gsan
