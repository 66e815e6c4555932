#include "gsan/data/batch_sizes.h"

#include <algorithm>
#include <cmath>

namespace gsan {
namespace {

constexpr std::int64_t multiple = 8;  // of rows

std::int64_t rounded_up(double number) {
  return static_cast<std::int64_t>(std::ceil(number / multiple)) * multiple;
}

double step_below(double factor) { return std::exp2(std::floor(std::log2(factor))) / 8; }

double round_factor(double factor) {
  const double step = step_below(factor);
  return std::ceil(factor / step) * step;
}

std::int64_t other_pairs(const SimplicialComplex& complex, int k) {
  return count_pairs(complex, k, Side::lower) - complex.count(k);
}

}  // namespace

// A row of the padding has no more cofaces than twice the average, or 8: what is computed there stays as
// small as elsewhere.
bool BatchSizes::fits(const PaddedSizes& sizes, const SimplicialComplex& complex) const {
  constexpr double few = 8;
  for (int k = 0; k <= complex.order(); ++k) {
    const std::int64_t more = sizes.rows[k] - complex.count(k);
    if (more < 0 || sizes.face_pairs[k] - sizes.rows[k] < other_pairs(complex, k)) return false;
    if (k == 0 || more == 0) continue;
    const std::int64_t faces = sizes.rows[k - 1] - complex.count(k - 1);
    const double most = std::max(few, 2 * (k + 1) * rows_[k] / rows_[k - 1]);
    if (faces < k + 1 || static_cast<double>(more * (k + 1)) > most * static_cast<double>(faces))
      return false;
  }
  return true;
}

BatchSizes::BatchSizes(const std::vector<SimplicialComplex>& complexes) {
  for (const SimplicialComplex& complex : complexes) {
    const auto orders = static_cast<std::size_t>(complex.order() + 1);
    if (rows_.size() < orders) rows_.resize(orders), pairs_.resize(orders);
    for (int k = 0; k <= complex.order(); ++k) {
      rows_[k] += static_cast<double>(complex.count(k)) / static_cast<double>(complexes.size());
      pairs_[k] += static_cast<double>(other_pairs(complex, k)) / static_cast<double>(complexes.size());
    }
  }
}

PaddedSizes BatchSizes::scaled(double complexes, int order) const {
  PaddedSizes sizes;
  for (int k = 0; k <= order; ++k) {
    sizes.rows.push_back(rounded_up(complexes * rows_[k]));
    sizes.face_pairs.push_back(sizes.rows.back() + rounded_up(complexes * pairs_[k]));
  }
  return sizes;
}

PaddedSizes BatchSizes::sizes_of(const ComplexOperators& batch) const {
  const SimplicialComplex& complex = batch.complex();
  const auto parts = static_cast<double>(std::max<std::int64_t>(1, batch.part_count()));
  double factor = 0.125;
  for (int k = 0; k <= complex.order(); ++k) {
    factor = std::max(factor, (static_cast<double>(complex.count(k)) - multiple) / (parts * rows_[k]));
    if (pairs_[k] > 0)
      factor =
          std::max(factor, (static_cast<double>(other_pairs(complex, k)) - multiple) / (parts * pairs_[k]));
  }
  factor = round_factor(factor);
  PaddedSizes sizes = scaled(factor * parts, complex.order());
  while (!fits(sizes, complex)) {
    factor += step_below(factor);
    sizes = scaled(factor * parts, complex.order());
  }
  return sizes;
}

bool BatchSizes::pays(const PaddedSizes& sizes, const SimplicialComplex& complex) {
  constexpr std::int64_t most = 3, small = 4096;
  std::int64_t padded = 0, real = 0;
  for (int k = 0; k <= complex.order(); ++k) {
    padded += sizes.rows[k] + sizes.face_pairs[k];
    real += 2 * complex.count(k) + other_pairs(complex, k);
  }
  return padded <= std::max(small, most * real);
}

}  // namespace gsan
