#include "gsan/ops/attention.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/detail/attention_checks.h"
#include "gsan/ops/detail/attention_signatures.h"
#include "gsan/ops/detail/operand_checks.h"

namespace gsan::ops {
namespace {

std::vector<at::Tensor> attention_forward_meta(const at::Tensor& x, const at::Tensor& weight,
                                               const at::Tensor& a, at::TensorList structure,
                                               at::TensorList dropout_keys, std::int64_t stream, double p,
                                               const OptionalTensor& signs, std::int64_t first_power,
                                               double negative_slope, bool sigmoid, bool keep) {
  const auto f =
      attention_filter(x, weight, structure, {dropout_keys.vec(), stream, p}, signs, first_power, sigmoid);
  check_attention("gsan::attention", f, a);
  const c10::SymInt N = x.sym_size(-2), P = weight.sym_size(1), H = weight.sym_size(2),
                    F = weight.sym_size(3);
  const auto empty = [&](const c10::SymDimVector& sizes) { return at::empty_symint(sizes, x.options()); };
  const auto wide = [&](const c10::SymDimVector& sizes) {
    return at::empty_symint(sizes, x.options().dtype(sum_type(x)));
  };
  OptionalTensor mask;
  if (p > 0) mask = wide(sizes_with(x, 2, {dropout_keys[0].sym_size(0), H}));
  const at::Tensor scores = wide(sizes_with(x, 2, {N, H}));
  std::vector<at::Tensor> of_powers =
      attention_powers({empty(sizes_with(x, 2, {N, P, H * F})), scores, scores, f.structure, mask, signs,
                        first_power, negative_slope, sigmoid},
                       keep);
  if (!keep) return of_powers;
  c10::SymInt rows = 1;
  for (const c10::SymInt& size : x.sym_sizes().slice(0, x.dim() - 1)) rows = rows * size;
  std::vector<at::Tensor> kept{of_powers.front(), empty({rows, P * H * F}), wide({rows, 2 * H})};
  if (mask) kept.push_back(*mask);
  kept.insert(kept.end(), of_powers.begin() + 1, of_powers.end());
  return kept;
}

std::vector<at::Tensor> attention_backward_meta(const at::Tensor& gradient, const at::Tensor& x,
                                                const at::Tensor& weight, const at::Tensor& a,
                                                at::TensorList structure, double p,
                                                const OptionalTensor& signs, std::int64_t first_power, double,
                                                bool sigmoid, at::TensorList kept,
                                                std::array<bool, 3> needs) {
  const auto f = attention_filter(x, weight, structure, {.p = p}, signs, first_power, sigmoid);
  check_attention_backward(gradient, f, a, kept.vec());
  const auto like = [](const at::Tensor& t, bool is_needed) {
    return is_needed ? at::empty_symint(t.sym_sizes(), t.options()) : at::empty({0}, t.options());
  };
  return {like(x, needs[0]), like(weight, needs[1]), like(a, needs[2])};
}

}  // namespace

at::Tensor attention(const AttentionFilter& f, const at::Tensor& a, double negative_slope) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::attention", "").typed<AttentionSignature>();
  return op.call(f.x, f.weight, a, f.structure, f.dropout.keys, f.dropout.stream, f.dropout.p, f.signs,
                 f.first_power, negative_slope, f.sigmoid, f.recompute);
}

std::vector<at::Tensor> attention_forward(const AttentionFilter& f, const at::Tensor& a,
                                          double negative_slope, bool keep) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("gsan::attention_forward", "")
                             .typed<AttentionForwardSignature>();
  return op.call(f.x, f.weight, a, f.structure, f.dropout.keys, f.dropout.stream, f.dropout.p, f.signs,
                 f.first_power, negative_slope, f.sigmoid, keep);
}

std::vector<at::Tensor> attention_backward(const at::Tensor& gradient, const AttentionFilter& f,
                                           const at::Tensor& a, double negative_slope,
                                           const std::vector<at::Tensor>& kept, std::array<bool, 3> needs) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("gsan::attention_backward", "")
                             .typed<AttentionBackwardSignature>();
  return op.call(gradient, f.x, f.weight, a, f.structure, f.dropout.p, f.signs, f.first_power, negative_slope,
                 f.sigmoid, kept, needs);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "attention(Tensor x, Tensor weight, Tensor a, Tensor[] structure, Tensor[] dropout_keys, int stream,"
      " float p, Tensor? signs, int first_power, float negative_slope, bool sigmoid=False,"
      " bool recompute=False) -> Tensor");
  m.def(
      "attention_forward(Tensor x, Tensor weight, Tensor a, Tensor[] structure, Tensor[] dropout_keys,"
      " int stream, float p, Tensor? signs, int first_power, float negative_slope, bool sigmoid,"
      " bool keep) -> Tensor[]");
  m.def(
      "attention_backward(Tensor gradient, Tensor x, Tensor weight, Tensor a, Tensor[] structure, float p,"
      " Tensor? signs, int first_power, float negative_slope, bool sigmoid, Tensor[] kept, bool[3] needs) -> "
      "Tensor[]");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("attention_forward", attention_forward_meta);
  m.impl("attention_backward", attention_backward_meta);
}

}  // namespace gsan::ops
