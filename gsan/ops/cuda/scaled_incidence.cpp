#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/signed_lists.h"
#include "gsan/ops/detail/scaled_incidence_checks.h"

namespace gsan::ops {
namespace {

using Optional = std::optional<at::Tensor>;

template <class S>
cuda::RowNumbers<S> numbers(const at::Tensor& factors) {
  if (!factors.defined()) return {};
  return {cuda::data<S>(factors), factors.dim() > 2 ? factors.size(-2) * factors.size(-1) : 0, 1};
}

std::tuple<at::Tensor, at::Tensor> sums_cuda(const at::Tensor& x, const Optional& x_factors,
                                             const Optional& y_factors, at::TensorList tables, bool boundary,
                                             bool absolute, const Optional& other, bool with_y) {
  const ScaledShape shape = check_scaled(x, x_factors, y_factors, tables, boundary, other);
  const cuda::Launch launch(x);
  const std::int64_t rows = shape.rows.expect_int(), groups = shape.groups.expect_int();
  c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
  sizes[sizes.size() - 2] = rows;
  const at::Tensor y = with_y ? at::empty(sizes, x.options()) : at::empty({0}, x.options());
  sizes.back() = groups;
  const at::Tensor dots = other ? at::empty(sizes, x.options()) : at::empty({0}, x.options());
  const cuda::IncidenceTables lists(tables);
  const at::Tensor from = cuda::aligned_rows(x), of_x = x_factors ? x_factors->contiguous() : at::Tensor(),
                   of_y = y_factors ? y_factors->contiguous() : at::Tensor(),
                   beside = other ? cuda::aligned_rows(*other) : at::Tensor();
  if (other && x.size(-1) == 0) dots.zero_();
  cuda::with_type("gsan::scaled_incidence", x.scalar_type(), [&]<class S>(S) {
    cuda::SignedSums<S> sums;
    sums.list = lists.list(boundary);
    sums.x = cuda::rows_of<S>(from);
    if (with_y) sums.y = cuda::writable_rows<S>(y);
    if (other) sums.other = cuda::rows_of<S>(beside), sums.dots = cuda::writable<S>(dots);
    sums.x_factors = numbers<S>(of_x), sums.beta = numbers<S>(of_y);
    sums.signals = cuda::signal_count(x, 2), sums.rows = rows;
    sums.features = static_cast<int>(x.size(-1)), sums.groups = static_cast<int>(groups);
    sums.absolute = absolute;
    cuda::launch_signed_sums(sums, launch.stream);
  });
  cuda::check_launch();
  return {y, dots};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) { m.impl("scaled_sums", sums_cuda); }

}  // namespace gsan::ops
