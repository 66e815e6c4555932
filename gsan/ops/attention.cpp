#include "gsan/ops/attention.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/attention_checks.h"
#include "gsan/ops/operand_checks.h"

namespace gsan::ops {
namespace {

using OptionalTensor = std::optional<at::Tensor>;
using Attention = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&, at::TensorList,
                             const OptionalTensor&, const OptionalTensor&, std::int64_t, double);
using Forward = std::vector<at::Tensor>(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                        at::TensorList, const OptionalTensor&, const OptionalTensor&,
                                        std::int64_t, double, bool);
using Backward = std::vector<at::Tensor>(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                         const at::Tensor&, at::TensorList, const OptionalTensor&,
                                         const OptionalTensor&, std::int64_t, double, at::TensorList);

at::Tensor attention_without_graph(const at::Tensor& taps, const at::Tensor& receiver,
                                   const at::Tensor& source, at::TensorList structure,
                                   const OptionalTensor& mask, const OptionalTensor& signs,
                                   std::int64_t first_power, double negative_slope) {
  return attention_forward(
      {taps, receiver, source, structure.vec(), mask, signs, first_power, negative_slope}, false)[0];
}

// What is kept over stars depends on their sizes: the backward is traced for pairs only.
std::vector<at::Tensor> attention_forward_meta(const at::Tensor& taps, const at::Tensor& receiver,
                                               const at::Tensor& source, at::TensorList structure,
                                               const OptionalTensor& mask, const OptionalTensor& signs,
                                               std::int64_t first_power, double negative_slope, bool keep) {
  const auto shape = check_attention(
      "gsan::attention", {taps, receiver, source, structure.vec(), mask, signs, first_power, negative_slope});
  const auto rows = sizes_with(taps, 3, {shape.simplices, taps.sym_size(-1)});
  const auto stacked = [&](const c10::SymInt& count) {
    c10::SymDimVector sizes = {count};
    sizes.append(rows.begin(), rows.end());
    return at::empty_symint(sizes, taps.options());
  };
  std::vector<at::Tensor> result = {at::empty_symint(rows, taps.options())};
  if (!keep || shape.stars || shape.applications == 0) return result;
  const auto state = sizes_with(taps, 3, {shape.simplices, shape.heads, 4});
  result.push_back(at::empty_symint(state, taps.options()));
  result.push_back(stacked(shape.applications - 1));
  result.push_back(stacked(shape.applications));
  return result;
}

std::vector<at::Tensor> attention_backward_meta(const at::Tensor& gradient, const at::Tensor& taps,
                                                const at::Tensor& receiver, const at::Tensor& source,
                                                at::TensorList structure, const OptionalTensor& mask,
                                                const OptionalTensor& signs, std::int64_t first_power,
                                                double negative_slope, at::TensorList kept) {
  check_attention_backward(
      gradient, {taps, receiver, source, structure.vec(), mask, signs, first_power, negative_slope},
      kept.vec());
  const auto like = [](const at::Tensor& x) { return at::empty_symint(x.sym_sizes(), x.options()); };
  return {like(taps), like(receiver), like(source)};
}

}  // namespace

at::Tensor attention(const AttentionOperands& o) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::attention", "").typed<Attention>();
  return op.call(o.taps, o.receiver, o.source, o.structure, o.mask, o.signs, o.first_power, o.negative_slope);
}

std::vector<at::Tensor> attention_forward(const AttentionOperands& o, bool keep) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::attention_forward", "").typed<Forward>();
  return op.call(o.taps, o.receiver, o.source, o.structure, o.mask, o.signs, o.first_power, o.negative_slope,
                 keep);
}

std::vector<at::Tensor> attention_backward(const at::Tensor& gradient, const AttentionOperands& o,
                                           const std::vector<at::Tensor>& kept) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::attention_backward", "").typed<Backward>();
  return op.call(gradient, o.taps, o.receiver, o.source, o.structure, o.mask, o.signs, o.first_power,
                 o.negative_slope, kept);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "attention(Tensor taps, Tensor receiver, Tensor source, Tensor[] structure, Tensor? mask, Tensor? "
      "signs,"
      " int first_power, float negative_slope) -> Tensor");
  m.def(
      "attention_forward(Tensor taps, Tensor receiver, Tensor source, Tensor[] structure, Tensor? mask,"
      " Tensor? signs, int first_power, float negative_slope, bool keep) -> Tensor[]");
  m.def(
      "attention_backward(Tensor gradient, Tensor taps, Tensor receiver, Tensor source, Tensor[] structure,"
      " Tensor? mask, Tensor? signs, int first_power, float negative_slope, Tensor[] kept) -> Tensor[]");
}

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) { m.impl("attention", attention_without_graph); }

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("attention_forward", attention_forward_meta);
  m.impl("attention_backward", attention_backward_meta);
}

}  // namespace gsan::ops
