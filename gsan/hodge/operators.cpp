#include "gsan/hodge/operators.h"

#include "gsan/core/check.h"

namespace gsan {

ComplexOperators::ComplexOperators(SimplicialComplex complex, torch::Device device)
    : complex_(std::move(complex)), device_(device) {
  for (int k = 0; k <= complex_.order() + 1; ++k) incidences_.emplace_back(complex_, k, device);
}

const Incidence& ComplexOperators::incidence(int k) const {
  GSAN_CHECK(k >= 0 && k < static_cast<int>(incidences_.size()),
             "ComplexOperators::incidence: B_k exists for k = 0 ... ",
             static_cast<int>(incidences_.size()) - 1, " on this complex, got k = ", k);
  return incidences_[k];
}

Tensor ComplexOperators::lower_laplacian(int k, const Tensor& x) const {
  const Incidence& B = incidence(k);
  return B.coboundary(B.boundary(x));
}

Tensor ComplexOperators::upper_laplacian(int k, const Tensor& x) const {
  const Incidence& B = incidence(k + 1);
  return B.boundary(B.coboundary(x));
}

Tensor ComplexOperators::laplacian(int k, const Tensor& x) const {
  return lower_laplacian(k, x) + upper_laplacian(k, x);
}

}  // namespace gsan
