#include "gsan/hodge/solve/semidefinite_factor.h"

#include <algorithm>

namespace gsan {
namespace {

constexpr double zero_pivot = 1e-11;  // of the diagonal entry that it came from

}  // namespace

SemidefiniteFactor::SemidefiniteFactor(const PairMatrix& matrix)
    : size_(matrix.size()), factor_(static_cast<std::size_t>(matrix.size()) * matrix.size(), 0.0) {
  const auto row = [&](Index i) { return factor_.data() + static_cast<std::size_t>(i) * size_; };
  for (Index i = 0; i < size_; ++i) {
    row(i)[i] = matrix.diagonal[i];
    for (Offset e = matrix.start[i]; e < matrix.start[i + 1]; ++e) row(i)[matrix.column[e]] = matrix.value[e];
  }
  for (Index k = 0; k < size_; ++k) {
    double* pivot = row(k);
    const double inverse = pivot[k] > zero_pivot * matrix.diagonal[k] ? 1 / pivot[k] : 0.0;
    pivot[k] = inverse;
    for (Index i = k + 1; i < size_; ++i) {
      const double multiple = row(i)[k] * inverse;
      for (Index j = k + 1; j <= i; ++j) row(i)[j] -= multiple * row(j)[k];
    }
    for (Index i = k + 1; i < size_; ++i) row(i)[k] *= inverse;
  }
}

void SemidefiniteFactor::solve(const double* r, double* x, int width) const {
  const auto row = [&](Index i) { return factor_.data() + static_cast<std::size_t>(i) * size_; };
  std::copy(r, r + std::int64_t{size_} * width, x);
  for (Index i = 0; i < size_; ++i) {
    for (Index j = 0; j < i; ++j) {
      for (int c = 0; c < width; ++c) x[i * width + c] -= row(i)[j] * x[j * width + c];
    }
  }
  for (Index i = size_ - 1; i >= 0; --i) {
    for (int c = 0; c < width; ++c) x[i * width + c] *= row(i)[i];
  }
  for (Index i = size_ - 1; i >= 0; --i) {
    for (Index j = 0; j < i; ++j) {
      for (int c = 0; c < width; ++c) x[j * width + c] -= row(i)[j] * x[i * width + c];
    }
  }
}

}  // namespace gsan
