#pragma once
// Dense matrices written from the definition (spec 1), and signals to try them on.

#include <string_view>
#include <vector>

#include <torch/types.h>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// B_k, float64 [N_{k−1}, N_k], from vertex lists alone.
inline torch::Tensor dense_boundary(const SimplicialComplex& complex, int k) {
  torch::Tensor B = torch::zeros({complex.count(k - 1), complex.count(k)}, torch::kFloat64);
  if (k < 1) return B;
  auto entry = B.accessor<double, 2>();
  for (Index i = 0; i < complex.count(k); ++i) {
    for (int j = 0; j <= k; ++j) {
      const auto simplex = complex.vertices(k, i);
      std::vector<Vertex> face(simplex.begin(), simplex.end());
      face.erase(face.begin() + j);
      entry[complex.find(face).value()][i] = j % 2 == 0 ? 1.0 : -1.0;
    }
  }
  return B;
}

inline torch::Tensor dense_lower_laplacian(const SimplicialComplex& complex, int k) {
  const torch::Tensor B = dense_boundary(complex, k);
  return B.t().mm(B);
}

inline torch::Tensor dense_upper_laplacian(const SimplicialComplex& complex, int k) {
  const torch::Tensor B = dense_boundary(complex, k + 1);
  return B.mm(B.t());
}

inline torch::Tensor dense_laplacian(const SimplicialComplex& complex, int k) {
  return dense_lower_laplacian(complex, k) + dense_upper_laplacian(complex, k);
}

/// D on all orders, one after the other.
inline torch::Tensor dense_dirac(const SimplicialComplex& complex) {
  std::int64_t size = 0;
  for (int k = 0; k <= complex.order(); ++k) size += complex.count(k);
  torch::Tensor D = torch::zeros({size, size}, torch::kFloat64);
  std::int64_t first = 0;
  for (int j = 1; j <= complex.order(); ++j) {
    const torch::Tensor B = dense_boundary(complex, j);
    const std::int64_t second = first + B.size(0);
    D.narrow(0, first, B.size(0)).narrow(1, second, B.size(1)).copy_(B);
    D.narrow(0, second, B.size(1)).narrow(1, first, B.size(0)).copy_(B.t());
    first = second;
  }
  return D;
}

/// One random float64 signal [N_k, features] per order.
inline Cochains random_cochains(const SimplicialComplex& complex, std::int64_t features,
                                std::string_view purpose = "signal") {
  Cochains x;
  for (int k = 0; k <= complex.order(); ++k) {
    x.push_back(
        random_signal(complex.count(k), features, std::string(purpose) + std::to_string(k), torch::kFloat64));
  }
  return x;
}

/// max |a − b|, 0 for empty tensors.
inline double distance(const torch::Tensor& a, const torch::Tensor& b) {
  if (a.sizes() != b.sizes()) return 1e300;
  return a.numel() == 0 ? 0 : (a - b).abs().max().item<double>();
}

}  // namespace gsan
