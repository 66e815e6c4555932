#include "gsan/ops/attention_powers.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/attention_checks.h"
#include "gsan/ops/detail/operand_checks.h"

namespace gsan::ops {
namespace {

using OptionalTensor = std::optional<at::Tensor>;
using Forward = std::vector<at::Tensor>(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                        at::TensorList, const OptionalTensor&, const OptionalTensor&,
                                        std::int64_t, double, bool, bool);
using Backward = std::vector<at::Tensor>(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                         const at::Tensor&, at::TensorList, const OptionalTensor&,
                                         const OptionalTensor&, std::int64_t, double, bool, at::TensorList);

std::vector<at::Tensor> attention_powers_meta(const at::Tensor& taps, const at::Tensor& receiver,
                                              const at::Tensor& source, at::TensorList structure,
                                              const OptionalTensor& mask, const OptionalTensor& signs,
                                              std::int64_t first_power, double negative_slope, bool sigmoid,
                                              bool keep) {
  const auto shape = check_attention_powers(
      "gsan::attention_powers",
      {taps, receiver, source, structure.vec(), mask, signs, first_power, negative_slope, sigmoid});
  const auto rows = sizes_with(taps, 3, {shape.simplices, taps.sym_size(-1)});
  const auto stacked = [&](const c10::SymInt& count) {
    c10::SymDimVector sizes = {count};
    sizes.append(rows.begin(), rows.end());
    return at::empty_symint(sizes, taps.options());
  };
  std::vector<at::Tensor> result = {at::empty_symint(rows, taps.options())};
  if (!keep || shape.applications == 0) return result;
  GSAN_CHECK(!shape.stars,
             "gsan::attention_powers: what is kept over stars depends on their sizes, so that a "
             "gradient over stars cannot be traced; pass a structure of pairs");
  const auto state = sizes_with(taps, 3, {shape.simplices, shape.heads, 4});
  result.push_back(at::empty_symint(state, receiver.options()));
  result.push_back(stacked(shape.applications - 1));
  result.push_back(stacked(shape.applications));
  return result;
}

std::vector<at::Tensor> attention_powers_backward_meta(const at::Tensor& gradient, const at::Tensor& taps,
                                                       const at::Tensor& receiver, const at::Tensor& source,
                                                       at::TensorList structure, const OptionalTensor& mask,
                                                       const OptionalTensor& signs, std::int64_t first_power,
                                                       double negative_slope, bool sigmoid,
                                                       at::TensorList kept) {
  check_attention_powers_backward(
      gradient, {taps, receiver, source, structure.vec(), mask, signs, first_power, negative_slope, sigmoid},
      kept.vec());
  const auto like = [](const at::Tensor& x) { return at::empty_symint(x.sym_sizes(), x.options()); };
  return {like(taps), like(receiver), like(source)};
}

}  // namespace

std::vector<at::Tensor> attention_powers(const AttentionOperands& o, bool keep) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::attention_powers", "").typed<Forward>();
  return op.call(o.taps, o.receiver, o.source, o.structure, o.mask, o.signs, o.first_power, o.negative_slope,
                 o.sigmoid, keep);
}

std::vector<at::Tensor> attention_powers_backward(const at::Tensor& gradient, const AttentionOperands& o,
                                                  const std::vector<at::Tensor>& kept) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::attention_powers_backward", "").typed<Backward>();
  return op.call(gradient, o.taps, o.receiver, o.source, o.structure, o.mask, o.signs, o.first_power,
                 o.negative_slope, o.sigmoid, kept);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "attention_powers(Tensor taps, Tensor receiver, Tensor source, Tensor[] structure, Tensor? mask,"
      " Tensor? signs, int first_power, float negative_slope, bool sigmoid, bool keep) -> Tensor[]");
  m.def(
      "attention_powers_backward(Tensor gradient, Tensor taps, Tensor receiver, Tensor source,"
      " Tensor[] structure, Tensor? mask, Tensor? signs, int first_power, float negative_slope,"
      " bool sigmoid, Tensor[] kept) -> Tensor[]");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("attention_powers", attention_powers_meta);
  m.impl("attention_powers_backward", attention_powers_backward_meta);
}

}  // namespace gsan::ops
