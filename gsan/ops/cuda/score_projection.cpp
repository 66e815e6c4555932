#include "gsan/ops/cuda/score_projection.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/score_projection_checks.h"

namespace gsan::ops {
namespace {

// Holds contiguous parameters.
struct Parameters {
  at::Tensor weight, a;
  Parameters(const at::Tensor& weight_, const at::Tensor& a_)
      : weight(weight_.contiguous()), a(a_.contiguous()) {}
  template <class T>
  cuda::ScoreParameters<T> get() const {
    const auto size = [&](std::int64_t d) { return static_cast<int>(weight.size(d)); };
    return {cuda::data<T>(weight), cuda::data<T>(a), size(0), size(1), size(2), size(3)};
  }
  // Calls run(T{}) with their type.
  template <class Run>
  void with_type(const Run& run) const {
    weight.scalar_type() == at::kDouble ? run(double{}) : run(float{});
  }
};

at::Tensor projection_cuda(const at::Tensor& weight, const at::Tensor& a) {
  check_score_projection(weight, a);
  const cuda::Launch launch(weight);
  const Parameters parameters(weight, a);
  const at::Tensor made = at::empty({weight.size(0), 2 * weight.size(2)}, weight.options());
  parameters.with_type([&]<class T>(T) {
    cuda::launch_score_projection(parameters.get<T>(), cuda::writable<T>(made), launch.stream);
  });
  cuda::check_launch();
  return made;
}

at::Tensor projection_backward_cuda(std::optional<at::Tensor> of_weight, const at::Tensor& gradient,
                                    const at::Tensor& weight, const at::Tensor& a) {
  check_score_projection_backward(of_weight, gradient, weight, a);
  const cuda::Launch launch(weight);
  const Parameters parameters(weight, a);
  const at::Tensor of_scores = gradient.contiguous(), of_a = at::empty(a.sizes(), a.options()),
                   to = of_weight.value_or(at::Tensor());
  parameters.with_type([&]<class T>(T) {
    cuda::launch_score_projection_backward(parameters.get<T>(), cuda::data<T>(of_scores),
                                           cuda::writable<T>(to), cuda::writable<T>(of_a), launch.stream);
  });
  cuda::check_launch();
  return of_a;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("score_projection", projection_cuda);
  m.impl("score_projection_backward_", projection_backward_cuda);
}

}  // namespace gsan::ops
