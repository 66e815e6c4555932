#include "gsan/ops/cpu/row_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>

#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/row_blocks.h"
#include "gsan/ops/cpu/row_norm_kernel.h"

namespace gsan::ops {
namespace {

template <class T>
const RowNormKernels<T>& kernels() {
  return current_build<T>(GSAN_BUILDS_OF(row_norm));
}

struct Statistics {
  std::vector<double> mean, variance;  // of the rows: Σ (x − mean)² / n
};

template <class T>
Statistics statistics_of(const RowBlocks& blocks, const T* x) {
  const std::int64_t C = blocks.channels;
  const auto n = static_cast<double>(blocks.rows);
  Statistics of;
  of.mean = blocks.sums(C, [&](std::int64_t first, std::int64_t rows, double* sums) {
    kernels<T>().add_rows(x + first, rows, C, sums);
  });
  for (double& mean : of.mean) mean /= n;
  of.variance = blocks.sums(C, [&](std::int64_t first, std::int64_t rows, double* sums) {
    kernels<T>().add_squares(x + first, rows, C, of.mean.data(), sums);
  });
  for (double& variance : of.variance) variance /= n;
  return of;
}

template <class T>
void move(const at::Tensor& running, const std::vector<double>& now, double factor, double momentum) {
  T* const kept = running.mutable_data_ptr<T>();
  for (std::size_t c = 0; c < now.size(); ++c)
    kept[c] = static_cast<T>(kept[c] * (1 - momentum) + now[c] * factor * momentum);
}

}  // namespace

RowNormed row_norm_cpu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       const at::Tensor& running_mean, const at::Tensor& running_var, double momentum,
                       double epsilon) {
  RowNormed made{pooled_empty(x.sizes(), x.options()),
                 at::empty({2, x.size(1)}, x.options().dtype(at::kDouble))};
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_norm", [&] {
    const RowBlocks blocks(x.size(0), x.size(1));
    const auto* from = x.const_data_ptr<scalar_t>();
    const Statistics of = statistics_of(blocks, from);
    const auto n = static_cast<double>(blocks.rows);
    move<scalar_t>(running_mean, of.mean, 1, momentum);
    move<scalar_t>(running_var, of.variance, n / (n - 1), momentum);
    double *const mean = made.scale.mutable_data_ptr<double>(), *const inverse = mean + blocks.channels;
    std::copy(of.mean.begin(), of.mean.end(), mean);
    for (std::size_t c = 0; c < of.variance.size(); ++c) inverse[c] = 1 / std::sqrt(of.variance[c] + epsilon);
    auto* to = made.y.mutable_data_ptr<scalar_t>();
    blocks.for_each([&](std::int64_t, std::int64_t first, std::int64_t rows) {
      kernels<scalar_t>().normalise(from + first, rows, blocks.channels, {mean, inverse},
                                    weight.const_data_ptr<scalar_t>(), bias.const_data_ptr<scalar_t>(),
                                    to + first);
    });
  });
  return made;
}

RowNormGradients row_norm_backward_cpu(const at::Tensor& g, const at::Tensor& x, const at::Tensor& weight,
                                       const at::Tensor& scale, bool needs_x) {
  RowNormGradients made{needs_x ? pooled_empty(x.sizes(), x.options()) : at::Tensor(),
                        at::empty(weight.sizes(), weight.options()),
                        at::empty(weight.sizes(), weight.options())};
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_norm_backward", [&] {
    const RowBlocks blocks(x.size(0), x.size(1));
    const std::int64_t C = blocks.channels;
    const double* const mean = scale.const_data_ptr<double>();
    const ColumnScale of{mean, mean + C};
    const auto *from = g.const_data_ptr<scalar_t>(), *values = x.const_data_ptr<scalar_t>();
    std::vector<double> sums = blocks.sums(2 * C, [&](std::int64_t first, std::int64_t rows, double* to) {
      kernels<scalar_t>().add_gradients(from + first, values + first, rows, C, of, to, to + C);
    });
    std::copy_n(sums.begin(), C, made.of_bias.mutable_data_ptr<scalar_t>());
    std::copy_n(sums.begin() + C, C, made.of_weight.mutable_data_ptr<scalar_t>());
    if (!needs_x) return;
    for (double& sum : sums) sum /= static_cast<double>(blocks.rows);
    std::vector<double> factor(static_cast<std::size_t>(C));
    const auto* w = weight.const_data_ptr<scalar_t>();
    for (std::int64_t c = 0; c < C; ++c) factor[c] = w[c] * of.scale[c];
    auto* to = made.of_x.mutable_data_ptr<scalar_t>();
    blocks.for_each([&](std::int64_t, std::int64_t first, std::int64_t rows) {
      kernels<scalar_t>().back(from + first, values + first, rows, C, of, factor.data(), sums.data(),
                               sums.data() + C, to + first);
    });
  });
  return made;
}

}  // namespace gsan::ops
