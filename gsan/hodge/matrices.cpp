#include "gsan/hodge/matrices.h"

#include <c10/util/Exception.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"

namespace gsan {
namespace {

using torch::Tensor;

template <class Entry>
Tensor copy(const std::vector<Entry>& entries, torch::ScalarType type) {
  return torch::from_blob(const_cast<Entry*>(entries.data()), {static_cast<std::int64_t>(entries.size())},
                          type)
      .clone();
}

// torch announces on first use that CSR is in beta; a library does not print.
class Silence final : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

Tensor to_csr(const SparseRows& m, const Tensor& values, const torch::TensorOptions& type) {
  Silence silence;
  const c10::WarningUtils::WarningHandlerGuard guard(&silence);
  const auto device = type.device();
  return torch::sparse_csr_tensor(copy(m.start, torch::kInt64).to(device),
                                  copy(m.column, torch::kInt64).to(device), values, {m.rows, m.columns},
                                  type.layout(torch::kSparseCsr));
}

Tensor to_coo(const SparseRows& m, const Tensor& values, const torch::TensorOptions& type) {
  const Tensor row = torch::repeat_interleave(copy(m.start, torch::kInt64).diff());
  const Tensor indices = torch::stack({row, copy(m.column, torch::kInt64)}).to(type.device());
  return torch::sparse_coo_tensor(indices, values, {m.rows, m.columns}, type.layout(torch::kSparse),
                                  /*is_coalesced=*/true);
}

}  // namespace

Tensor sparse_matrix(const SimplicialComplex& complex, ComplexMatrix matrix, int rank,
                     const MatrixOptions& options) {
  GSAN_CHECK(options.layout == torch::kSparse || options.layout == torch::kSparseCsr,
             matrix_name(matrix, rank), ": the layout must be sparse (COO) or sparse CSR, got ",
             options.layout);
  const SparseRows m = sparse_rows(complex, matrix, rank, options.max_memory);
  const Tensor values = copy(m.value, torch::kInt32).to(options.type);
  return options.layout == torch::kSparse ? to_coo(m, values, options.type) : to_csr(m, values, options.type);
}

Tensor incidence_matrix(const SimplicialComplex& complex, int rank, const MatrixOptions& options) {
  return sparse_matrix(complex, ComplexMatrix::incidence, rank, options);
}
Tensor up_laplacian_matrix(const SimplicialComplex& complex, int rank, const MatrixOptions& options) {
  return sparse_matrix(complex, ComplexMatrix::up_laplacian, rank, options);
}
Tensor down_laplacian_matrix(const SimplicialComplex& complex, int rank, const MatrixOptions& options) {
  return sparse_matrix(complex, ComplexMatrix::down_laplacian, rank, options);
}
Tensor hodge_laplacian_matrix(const SimplicialComplex& complex, int rank, const MatrixOptions& options) {
  return sparse_matrix(complex, ComplexMatrix::hodge_laplacian, rank, options);
}
Tensor dirac_operator_matrix(const SimplicialComplex& complex, const MatrixOptions& options) {
  return sparse_matrix(complex, ComplexMatrix::dirac_operator, 0, options);
}

std::filesystem::path write_matrix_market(const std::filesystem::path& folder,
                                          const SimplicialComplex& complex, ComplexMatrix matrix, int rank,
                                          std::size_t max_memory) {
  const SparseRows m = sparse_rows(complex, matrix, rank, max_memory);
  const auto stored = [&](std::int64_t row, std::int64_t column) { return !m.symmetric || column <= row; };
  const auto for_entries = [&](const auto& f) {
    for (std::int64_t i = 0; i < m.rows; ++i) {
      for (std::int64_t e = m.start[i]; e < m.start[i + 1]; ++e) {
        if (stored(i, m.column[e])) f(i, m.column[e], m.value[e]);
      }
    }
  };
  std::int64_t entries = 0;
  for_entries([&](auto, auto, auto) { ++entries; });

  const std::string name = matrix_name(matrix, rank);
  AtomicFile file(folder / (name + ".mtx"));
  std::ostream& out = file.stream();
  out << "%%MatrixMarket matrix coordinate integer " << (m.symmetric ? "symmetric" : "general") << "\n% "
      << name << "\n"
      << m.rows << ' ' << m.columns << ' ' << entries << '\n';
  for_entries([&](auto row, auto column, auto value) {
    out << row + 1 << ' ' << column + 1 << ' ' << value << '\n';
  });
  file.commit();
  return file.path();
}

}  // namespace gsan
