#pragma once
// The incidence products by definition, from the face table alone, and tables to try them on.

#include <torch/types.h>

#include "gsan/topology/complex.h"

namespace gsan {

/// The tables of B_k, as ops/incidence.h wants them; width 0 for k = 0.
struct IncidenceTables {
  torch::Tensor faces, offsets, cofaces, columns;
  std::int64_t simplices, rows;  ///< N_k, N_{k−1}
};

inline IncidenceTables incidence_tables(const SimplicialComplex& complex, int k) {
  const std::int64_t N = complex.count(k), M = complex.count(k - 1), width = k == 0 ? 0 : k + 1;
  const auto copy = [](const auto& table, torch::ScalarType type) {
    torch::Tensor tensor = torch::zeros({static_cast<std::int64_t>(table.size())}, type);
    if (!table.empty()) std::memcpy(tensor.data_ptr(), table.data(), tensor.nbytes());
    return tensor;
  };
  IncidenceTables tables{copy(complex.face_table(k), torch::kInt32).view({N, width}),
                         copy(complex.coface_offsets(k - 1), torch::kInt64),
                         copy(complex.coface_table(k - 1), torch::kInt32),
                         copy(complex.coface_columns(k - 1), torch::kUInt8),
                         N,
                         M};
  if (M == 0) tables.offsets = torch::zeros({1}, torch::kInt64);
  return tables;
}

/// B x and Bᵀ x on x [rows, F], summed in the order of the simplices: the very order that
/// the contract of the op promises, so results are compared bit for bit.
template <class T>
torch::Tensor reference_product(const torch::Tensor& x, const IncidenceTables& tables, bool boundary,
                                bool absolute) {
  const std::int64_t features = x.size(1), width = tables.faces.size(1);
  torch::Tensor y = torch::zeros({boundary ? tables.rows : tables.simplices, features}, x.scalar_type());
  const auto from = x.accessor<T, 2>();
  auto to = y.accessor<T, 2>();
  const auto faces = tables.faces.accessor<std::int32_t, 2>();
  for (std::int64_t i = 0; i < tables.simplices; ++i) {
    for (std::int64_t j = 0; j < width; ++j) {
      const T sign = absolute || j % 2 == 0 ? T(1) : T(-1);
      for (std::int64_t f = 0; f < features; ++f) {
        if (boundary)
          to[faces[i][j]][f] += sign * from[i][f];
        else
          to[i][f] += sign * from[faces[i][j]][f];
      }
    }
  }
  return y;
}

inline torch::Tensor reference_product(const torch::Tensor& x, const IncidenceTables& tables, bool boundary,
                                       bool absolute) {
  return x.scalar_type() == torch::kFloat32 ? reference_product<float>(x, tables, boundary, absolute)
                                            : reference_product<double>(x, tables, boundary, absolute);
}

}  // namespace gsan
