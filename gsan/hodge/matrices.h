#pragma once
// The operators of a complex as torch sparse tensors and MatrixMarket files, under the names
// that users of the field know. For export and tests: computing with them is slower than
// applying the operators (operators.h, dirac.h).

#include <filesystem>

#include <torch/types.h>

#include "gsan/hodge/sparse_rows.h"

namespace gsan {

struct MatrixOptions {
  torch::Layout layout = torch::kSparse;  ///< COO (coalesced), or torch::kSparseCsr
  torch::TensorOptions type = torch::kFloat32;
  std::size_t max_memory = Limits{}.max_memory;  ///< bytes; more is Fault::resource
};

torch::Tensor incidence_matrix(const SimplicialComplex& complex, int rank, const MatrixOptions& options = {});
torch::Tensor up_laplacian_matrix(const SimplicialComplex& complex, int rank,
                                  const MatrixOptions& options = {});
torch::Tensor down_laplacian_matrix(const SimplicialComplex& complex, int rank,
                                    const MatrixOptions& options = {});
torch::Tensor hodge_laplacian_matrix(const SimplicialComplex& complex, int rank,
                                     const MatrixOptions& options = {});
/// All orders, one after the other.
torch::Tensor dirac_operator_matrix(const SimplicialComplex& complex, const MatrixOptions& options = {});

/// Any of them by its kind; the Dirac operator takes rank 0.
torch::Tensor sparse_matrix(const SimplicialComplex& complex, ComplexMatrix matrix, int rank,
                            const MatrixOptions& options = {});

/// Writes `folder`/<matrix_name>.mtx: coordinate, integer, general or symmetric (lower triangle).
/// The file is either complete or not there. Returns its path.
std::filesystem::path write_matrix_market(const std::filesystem::path& folder,
                                          const SimplicialComplex& complex, ComplexMatrix matrix, int rank,
                                          std::size_t max_memory = Limits{}.max_memory);

}  // namespace gsan
