#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/signed_lists.h"
#include "gsan/ops/detail/incidence_checks.h"

namespace gsan::ops {
namespace {

at::Tensor product(const at::Tensor& x, std::int64_t rows, cuda::IncidenceTables tables, bool boundary,
                   bool absolute) {
  const cuda::Launch launch(x);
  const at::Tensor from = cuda::with_rows(x);
  c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
  sizes[sizes.size() - 2] = rows;
  at::Tensor y = at::empty(sizes, x.options());
  cuda::with_type("gsan::boundary", x.scalar_type(), [&]<class S>(S) {
    cuda::SignedSums<S> sums;
    sums.list = tables.list(boundary);
    sums.x = cuda::rows_of<S>(from), sums.y = cuda::writable_rows<S>(y);
    sums.signals = cuda::signal_count(x, 2), sums.rows = rows;
    sums.features = static_cast<int>(x.size(-1)), sums.absolute = absolute;
    cuda::launch_signed_sums(sums, launch.stream);
  });
  cuda::check_launch();
  return y;
}

at::Tensor boundary_cuda(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                         const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, true);
  return product(x, shape.faces.expect_int(), {faces, offsets, cofaces, columns}, true, absolute);
}

at::Tensor coboundary_cuda(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                           const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, false);
  return product(x, shape.simplices.expect_int(), {faces, offsets, cofaces, columns}, false, absolute);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("boundary", boundary_cuda);
  m.impl("coboundary", coboundary_cuda);
}

}  // namespace gsan::ops
