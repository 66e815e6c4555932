#include "gsan/hodge/reordered_complex.h"

#include <memory>

#include <torch/csrc/autograd/custom_function.h>

#include "gsan/topology/relabel.h"

namespace gsan {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows by a permutation, whose gradient torch would add up row by row.
struct PermutedRows : torch::autograd::Function<PermutedRows> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& rows, const Tensor& inverse) {
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({rows, inverse});
    return x.index_select(-2, rows);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const variable_list saved = ctx->get_saved_variables();
    if (!gradients[0].defined()) return {Tensor(), Tensor(), Tensor()};
    return {apply(gradients[0], saved[1], saved[0]), Tensor(), Tensor()};
  }
};

Tensor permuted(const Tensor& x, const Tensor& rows, const Tensor& inverse) {
  if (!x.requires_grad() || !at::GradMode::is_enabled()) return x.index_select(-2, rows);
  return PermutedRows::apply(x, rows, inverse);
}

}  // namespace

ReorderedComplex::ReorderedComplex(const ComplexOperators& given, std::span<const Vertex> new_name)
    : operators_(given.arranged(relabel(given.complex(), new_name))) {
  for (int k = 0; k <= given.order(); ++k) {
    const Tensor& sources = operators_.sources(k);
    places_.push_back(torch::empty_like(sources).index_copy_(
        0, sources, torch::arange(sources.size(0), sources.options())));
  }
}

Tensor ReorderedComplex::arranged(int k, const Tensor& x) const {
  if (!x.defined() || k >= static_cast<int>(places_.size())) return x;
  return permuted(x, operators_.sources(k), places_[k]);
}

Tensor ReorderedComplex::restored(int k, const Tensor& y) const {
  if (!y.defined() || k >= static_cast<int>(places_.size())) return y;
  return permuted(y, places_[k], operators_.sources(k));
}

const ReorderedComplex* inner_order(const ComplexOperators& operators) {
  const std::vector<Vertex>& names = operators.inner_names();
  if (names.empty()) return nullptr;
  return &operators.derived<ReorderedComplex>({"inner_order"},
                                              [&] { return ReorderedComplex(operators, names); });
}

}  // namespace gsan
