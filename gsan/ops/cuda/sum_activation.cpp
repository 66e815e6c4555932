#include "gsan/ops/cuda/sum_activation.h"

#include <algorithm>
#include <vector>

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/column_sums.h"
#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/sum_activation_checks.h"

namespace gsan::ops {
namespace {

cuda::Activation same(Nonlinearity activation) { return static_cast<cuda::Activation>(activation); }

template <class S>
void sum_terms(const std::vector<at::Tensor>& terms, const at::Tensor& bias, Nonlinearity activation,
               const at::Tensor& y, cuda::Stream stream) {
  using T = cuda::Compute<S>;
  const std::size_t all = terms.size(), most = cuda::most_terms;
  // More terms than a launch takes meet in a sum that is not rounded to the stored type.
  const at::Tensor between =
      all > most ? at::empty(y.sizes(), y.options().dtype(sizeof(T) == 8 ? at::kDouble : at::kFloat))
                 : at::Tensor();
  for (std::size_t first = 0; first < all; first += most) {
    cuda::SumOfTerms<S> sum;
    sum.count = static_cast<int>(std::min(most, all - first));
    for (int t = 0; t < sum.count; ++t) sum.terms[t] = cuda::rows_of<S>(terms[first + t]);
    if (first > 0) sum.before = cuda::data<T>(between);
    sum.signals = cuda::signal_count(y, 2), sum.rows = y.size(-2);
    sum.columns = static_cast<int>(y.size(-1));
    if (first + most < all) {
      sum.after = cuda::writable<T>(between);
    } else {
      sum.y = cuda::writable<S>(y), sum.activation = same(activation);
      if (bias.defined() && bias.scalar_type() == y.scalar_type())
        sum.bias = cuda::data<S>(bias);
      else
        sum.wide_bias = cuda::data<T>(bias);
    }
    cuda::launch_sum_of_terms(sum, stream);
    cuda::check_launch();
  }
}

at::Tensor forward_cuda(at::TensorList terms, const std::optional<at::Tensor>& bias,
                        std::string_view activation) {
  const Nonlinearity chosen = check_sum_activation(terms, bias, activation);
  const cuda::Launch launch(terms[0]);
  const at::Tensor y = at::empty(terms[0].sizes(), terms[0].options());
  std::vector<at::Tensor> kept;
  for (const at::Tensor& term : terms) kept.push_back(cuda::with_rows(term));
  const at::Tensor added = bias ? bias->contiguous() : at::Tensor();
  cuda::with_type("gsan::sum_activation", y.scalar_type(),
                  [&]<class S>(S) { sum_terms<S>(kept, added, chosen, y, launch.stream); });
  return y;
}

std::tuple<at::Tensor, at::Tensor> backward_cuda(const at::Tensor& gradient, const at::Tensor& y,
                                                 std::string_view activation, bool bias) {
  const Nonlinearity chosen = check_sum_activation_backward(gradient, y, activation);
  if (chosen == Nonlinearity::gelu) {
    const at::Tensor g = activation_gradient(chosen, gradient, y);
    return {g, bias ? column_sums(g.to(type_of_bias_gradient(y)))
                    : at::empty({0}, y.options().dtype(type_of_bias_gradient(y)))};
  }
  const cuda::Launch launch(y);
  const std::int64_t rows = cuda::signal_count(y, 1), columns = y.size(-1);
  const at::Tensor to = at::empty(y.sizes(), y.options()), g = cuda::aligned_rows(gradient),
                   values = cuda::aligned_rows(y);
  const at::Tensor sums = at::empty({bias ? columns : 0}, y.options().dtype(type_of_bias_gradient(y)));
  const at::Tensor parts =
      bias ? at::empty({cuda::activation_blocks(rows).count, columns}, y.options().dtype(at::kDouble))
           : at::Tensor();
  cuda::with_type("gsan::sum_activation", y.scalar_type(), [&]<class S>(S) {
    cuda::ActivationGradient<S> a;
    a.g = cuda::rows_of<S>(g), a.y = cuda::rows_of<S>(values), a.to = cuda::writable<S>(to);
    a.parts = cuda::writable<double>(parts), a.activation = same(chosen);
    a.signals = cuda::signal_count(y, 2), a.rows = y.size(-2), a.columns = static_cast<int>(columns);
    cuda::launch_activation_gradient(a, launch.stream);
    cuda::check_launch();
    if (bias)
      cuda::launch_sum_parts(a.parts, parts.size(0), columns, cuda::writable<cuda::Compute<S>>(sums),
                             launch.stream);
    cuda::check_launch();
  });
  return {to, sums};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("sum_activation", forward_cuda);
  m.impl("sum_activation_backward", backward_cuda);
}

}  // namespace gsan::ops
