#include "gsan/ops/row_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/Dispatch.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/native_batch_norm_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gsan/core/check.h"
#include "gsan/ops/autograd/recording.h"
#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/row_blocks.h"
#include "gsan/ops/cpu/row_norm_kernel.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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

struct Gradients {
  at::Tensor of_x, of_weight, of_bias;
};

struct RowNorm : torch::autograd::Function<RowNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& running_mean,
                            const at::Tensor& running_var, double momentum, double epsilon) {
    context->set_materialize_grads(false);
    const at::Tensor x = given.contiguous(), w = weight.contiguous(), b = bias.contiguous();
    const at::Tensor y = pooled_empty(x.sizes(), x.options()),
                     scale = at::empty({2, x.size(1)}, x.options().dtype(at::kDouble));  // mean, 1 / s
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_norm", [&] {
      const RowBlocks blocks(x.size(0), x.size(1));
      const auto* from = x.const_data_ptr<scalar_t>();
      const Statistics of = statistics_of(blocks, from);
      const auto n = static_cast<double>(blocks.rows);
      move<scalar_t>(running_mean, of.mean, 1, momentum);
      move<scalar_t>(running_var, of.variance, n / (n - 1), momentum);
      double *const mean = scale.mutable_data_ptr<double>(), *const inverse = mean + blocks.channels;
      std::copy(of.mean.begin(), of.mean.end(), mean);
      for (std::size_t c = 0; c < of.variance.size(); ++c)
        inverse[c] = 1 / std::sqrt(of.variance[c] + epsilon);
      auto* to = y.mutable_data_ptr<scalar_t>();
      blocks.for_each([&](std::int64_t, std::int64_t first, std::int64_t rows) {
        kernels<scalar_t>().normalise(from + first, rows, blocks.channels, {mean, inverse},
                                      w.const_data_ptr<scalar_t>(), b.const_data_ptr<scalar_t>(), to + first);
      });
    });
    context->save_for_backward({given, weight, scale});
    context->saved_data["epsilon"] = epsilon;
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const WithoutAutocast types_of_forward;
    variable_list result(7);
    if (!gradients[0].defined()) return result;
    const auto saved = context->get_saved_variables();
    const bool is_differentiated = at::GradMode::is_enabled() || gradients[0]._fw_grad(0).defined();
    const Gradients made =
        is_differentiated ? differentiable(gradients[0], saved, context->saved_data["epsilon"].toDouble())
                          : computed(gradients[0], saved, context->needs_input_grad(0));
    result[0] = made.of_x, result[1] = made.of_weight, result[2] = made.of_bias;
    return result;
  }

 private:
  static Gradients differentiable(const at::Tensor& g, const variable_list& saved, double epsilon) {
    const at::Tensor &x = saved[0], scale = saved[2].to(x.scalar_type());
    auto [of_x, of_weight, of_bias] = at::native_batch_norm_backward(
        g, x, saved[1], {}, {}, scale[0], scale[1], /*train=*/true, epsilon, {true, true, true});
    return {of_x, of_weight, of_bias};
  }

  static Gradients computed(const at::Tensor& given, const variable_list& saved, bool needs_x) {
    const at::Tensor g = given.contiguous(), x = saved[0].contiguous(), weight = saved[1].contiguous();
    Gradients made{needs_x ? pooled_empty(x.sizes(), x.options()) : at::Tensor(),
                   at::empty(weight.sizes(), weight.options()), at::empty(weight.sizes(), weight.options())};
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_norm_backward", [&] {
      const RowBlocks blocks(x.size(0), x.size(1));
      const std::int64_t C = blocks.channels;
      const double* const mean = saved[2].const_data_ptr<double>();
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
};

}  // namespace

at::Tensor row_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                    const at::Tensor& running_mean, const at::Tensor& running_var, double momentum,
                    double epsilon) {
  GSAN_CHECK(x.dim() == 2 && x.size(0) >= 2 && x.size(1) >= 1,
             "row_norm: x must be [n, channels] with at least two rows, got ", x.sizes());
  for (const at::Tensor& other : {weight, bias, running_mean, running_var})
    GSAN_CHECK(other.dim() == 1 && other.size(0) == x.size(1),
               "row_norm: weight, bias and running statistics must be [", x.size(1), "], got ",
               other.sizes());
  const auto fits = [&](const at::Tensor& other) {
    return other.is_cpu() && other.scalar_type() == x.scalar_type() && !other._fw_grad(0).defined();
  };
  const bool has_kernel = (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) && fits(x) &&
                          fits(weight) && fits(bias) && fits(running_mean) && fits(running_var) &&
                          running_mean.is_contiguous() && running_var.is_contiguous() &&
                          !at::autocast::is_autocast_enabled(at::kCPU);
  if (!has_kernel)
    return at::batch_norm(x, weight, bias, running_mean, running_var, /*training=*/true, momentum, epsilon,
                          /*cudnn_enabled=*/true);
  return RowNorm::apply(x, weight, bias, running_mean, running_var, momentum, epsilon);
}

}  // namespace gsan::ops
