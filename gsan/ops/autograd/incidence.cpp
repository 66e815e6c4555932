// B and Bᵀ are linear and each other's transpose: the gradient of one product is the
// other, called through the dispatcher, so that it has a gradient in turn.

#include "gsan/ops/incidence.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gsan/ops/autograd/recording.h"

namespace gsan::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <bool is_boundary>
at::Tensor product(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                   const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  return is_boundary ? boundary(x, faces, offsets, cofaces, columns, absolute)
                     : coboundary(x, faces, offsets, cofaces, columns, absolute);
}

template <bool is_boundary>
struct IncidenceProduct : torch::autograd::Function<IncidenceProduct<is_boundary>> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& faces,
                            const at::Tensor& offsets, const at::Tensor& cofaces, const at::Tensor& columns,
                            bool absolute) {
    at::AutoDispatchBelowADInplaceOrView below;
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({faces, offsets, cofaces, columns});
    ctx->saved_data["absolute"] = absolute;
    return product<is_boundary>(x, faces, offsets, cofaces, columns, absolute);
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const WithoutAutocast types_of_forward;
    const auto tables = ctx->get_saved_variables();
    at::Tensor of_x;
    if (gradients[0].defined()) {
      of_x = product<!is_boundary>(gradients[0], tables[0], tables[1], tables[2], tables[3],
                                   ctx->saved_data["absolute"].toBool());
    }
    return {of_x, {}, {}, {}, {}, {}};
  }
};

template <bool is_boundary>
at::Tensor incidence_autograd(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                              const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  if (x.requires_grad() && at::GradMode::is_enabled()) {
    return IncidenceProduct<is_boundary>::apply(x, faces, offsets, cofaces, columns, absolute);
  }
  at::AutoDispatchBelowADInplaceOrView below;
  return product<is_boundary>(x, faces, offsets, cofaces, columns, absolute);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, Autograd, m) {
  m.impl("boundary", incidence_autograd<true>);
  m.impl("coboundary", incidence_autograd<false>);
}

}  // namespace gsan::ops
