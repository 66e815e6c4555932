// laplacian_step on a device without a kernel of its own: products, sums and scalings one after the other.

#include <torch/library.h>

#include "gsan/ops/detail/laplacian_step_checks.h"
#include "gsan/ops/incidence.h"

namespace gsan::ops {
namespace {

at::Tensor step_composite(const at::Tensor& x, const std::optional<at::Tensor>& base, at::TensorList lower,
                          at::TensorList upper, double alpha, double beta,
                          const std::optional<at::Tensor>& row_alpha,
                          const std::optional<at::Tensor>& row_beta, std::int64_t steps, bool absolute) {
  check_laplacian_step(x, base, lower, upper, row_alpha, row_beta, steps);
  const auto scaled = [](const at::Tensor& y, double factor, const std::optional<at::Tensor>& rows) {
    return rows ? y * (*rows * factor).unsqueeze(-1) : y * factor;
  };
  at::Tensor y = x;
  for (std::int64_t step = 0; step < steps; ++step) {
    at::Tensor sum = scaled(y, alpha, row_alpha);
    const auto add = [&](const at::Tensor& product) { sum = sum + scaled(product, beta, row_beta); };
    if (!lower.empty())
      add(coboundary(boundary(y, lower[0], lower[1], lower[2], lower[3], absolute), lower[0], lower[1],
                     lower[2], lower[3], absolute));
    if (!upper.empty())
      add(boundary(coboundary(y, upper[0], upper[1], upper[2], upper[3], absolute), upper[0], upper[1],
                   upper[2], upper[3], absolute));
    y = sum;
  }
  return base ? *base + y : steps == 0 ? y.clone() : y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) { m.impl("laplacian_step", step_composite); }

}  // namespace gsan::ops
