#include "gsan/ops/laplacian_step.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/signed_lists.h"
#include "gsan/ops/detail/laplacian_step_checks.h"

namespace gsan::ops {
namespace {

using Optional = std::optional<at::Tensor>;

// B_k (lower) or B_{k+1}ᵀ (upper) of a signal, on its way through memory, and back.
struct Side {
  std::optional<cuda::IncidenceTables> tables;  // nothing: there is nothing to add
  at::Tensor product;                           // [..., rows, F], scratch for all steps
  bool lower;

  Side(at::TensorList given, const at::Tensor& x, bool is_lower) : lower(is_lower) {
    if (given.empty() || given[0].numel() == 0) return;
    tables.emplace(given);
    c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
    sizes[sizes.size() - 2] = lower ? given[1].size(0) - 1 : given[0].size(0);
    product = at::empty(sizes, x.options());
  }

  template <class S>
  void multiply(cuda::SignedSums<S> sums, const at::Tensor& x, cuda::Stream stream) const {
    if (!tables) return;
    sums.list = tables->list(lower);
    sums.x = cuda::rows_of<S>(x), sums.y = cuda::writable_rows<S>(product);
    sums.rows = product.size(-2);
    cuda::launch_signed_sums(sums, stream);
    cuda::check_launch();
  }
  template <class S>
  void add_to(cuda::SignedList& list, cuda::Rows<const S>& x) const {
    if (tables) list = tables->list(!lower), x = cuda::rows_of<S>(product);
  }
};

template <class S>
cuda::RowNumbers<S> numbers(const at::Tensor& rows, std::int64_t count) {
  if (!rows.defined()) return {};
  return {cuda::data<S>(rows), 0, rows.size(0) == count && count != 1 ? 1 : 0};
}

at::Tensor step_cuda(const at::Tensor& x, const Optional& base, at::TensorList lower_tables,
                     at::TensorList upper_tables, double alpha, double beta, const Optional& row_alpha,
                     const Optional& row_beta, std::int64_t steps, bool absolute) {
  check_laplacian_step(x, base, lower_tables, upper_tables, row_alpha, row_beta, steps);
  if (steps == 0) return base ? *base + x : x.clone();
  const cuda::Launch launch(x);
  at::Tensor y = at::empty(x.sizes(), x.options());
  if (y.numel() == 0) return y;
  const Side lower(lower_tables, x, true), upper(upper_tables, x, false);
  const at::Tensor of_alpha = row_alpha ? row_alpha->contiguous() : at::Tensor(),
                   of_beta = row_beta ? row_beta->contiguous() : at::Tensor(),
                   added = base ? cuda::with_rows(*base) : at::Tensor();
  // The last of the steps, which take turns, ends in y.
  at::Tensor from = cuda::with_rows(x),
             scratch = steps > 1 ? at::empty(x.sizes(), x.options()) : at::Tensor();
  for (std::int64_t left = steps; left-- > 0;) {
    const at::Tensor& to = left % 2 == 0 ? y : scratch;
    cuda::with_type("gsan::laplacian_step", x.scalar_type(), [&]<class S>(S) {
      cuda::SignedSums<S> sums;
      sums.signals = cuda::signal_count(x, 2);
      sums.features = static_cast<int>(x.size(-1)), sums.absolute = absolute;
      lower.multiply(sums, from, launch.stream);
      upper.multiply(sums, from, launch.stream);
      lower.add_to(sums.list, sums.x);
      upper.add_to(sums.second, sums.second_x);
      sums.rows = x.size(-2);
      sums.y = cuda::writable_rows<S>(to);
      if (alpha != 0) sums.own = cuda::rows_of<S>(from);
      if (left == 0 && base) sums.base = cuda::rows_of<S>(added);
      sums.common_alpha = alpha, sums.common_beta = beta;
      sums.alpha = numbers<S>(of_alpha, sums.rows), sums.beta = numbers<S>(of_beta, sums.rows);
      cuda::launch_signed_sums(sums, launch.stream);
    });
    cuda::check_launch();
    from = to;
  }
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) { m.impl("laplacian_step", step_cuda); }

}  // namespace gsan::ops
