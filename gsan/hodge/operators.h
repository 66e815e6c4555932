#pragma once
// All boundary operators of one complex on one device: what every layer, filter and
// solver is given.

#include <vector>

#include "gsan/hodge/incidence.h"

namespace gsan {

/// One tensor [..., N_k, F_k] per order k = 0 … K. An undefined tensor means "no signal
/// on this order" and counts as zero.
using Cochains = std::vector<Tensor>;

class ComplexOperators {
 public:
  explicit ComplexOperators(SimplicialComplex complex, torch::Device device = torch::kCPU);

  const SimplicialComplex& complex() const { return complex_; }
  int order() const { return complex_.order(); }
  std::int64_t count(int k) const { return complex_.count(k); }
  torch::Device device() const { return device_; }

  /// B_k for 0 ≤ k ≤ order() + 1 (the outer two are empty).
  const Incidence& incidence(int k) const;

  Tensor lower_laplacian(int k, const Tensor& x) const;  ///< L_k^d x = B_kᵀ B_k x
  Tensor upper_laplacian(int k, const Tensor& x) const;  ///< L_k^u x = B_{k+1} B_{k+1}ᵀ x
  Tensor laplacian(int k, const Tensor& x) const;        ///< L_k x

 private:
  SimplicialComplex complex_;
  torch::Device device_;
  std::vector<Incidence> incidences_;  // B_0 … B_{K+1}
};

}  // namespace gsan
