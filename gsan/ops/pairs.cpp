#include "gsan/ops/pairs.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

using TwoSides = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                            const at::Tensor&);
using Gather = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                          const at::Tensor&, bool);

at::Tensor pair_sum_meta(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                         const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_sum", receiver, source, offsets, sources, mirror, false);
  return at::empty_symint(sizes_with(receiver, 2, {shape.pairs, receiver.sym_size(-1)}), receiver.options());
}

at::Tensor pair_dot_meta(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                         const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_dot", receiver, source, offsets, sources, mirror, true);
  return at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
}

at::Tensor weighted_gather_meta(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                                const at::Tensor& sources, const at::Tensor& mirror, bool) {
  check_gather(weights, x, offsets, sources, mirror);
  return at::empty_symint(x.sym_sizes(), x.options());
}

}  // namespace

at::Tensor pair_sum(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                    const at::Tensor& sources, const at::Tensor& mirror) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::pair_sum", "").typed<TwoSides>();
  return op.call(receiver, source, offsets, sources, mirror);
}

at::Tensor pair_dot(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                    const at::Tensor& sources, const at::Tensor& mirror) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::pair_dot", "").typed<TwoSides>();
  return op.call(receiver, source, offsets, sources, mirror);
}

at::Tensor weighted_gather(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                           const at::Tensor& sources, const at::Tensor& mirror, bool transposed) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::weighted_gather", "").typed<Gather>();
  return op.call(weights, x, offsets, sources, mirror, transposed);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def("pair_sum(Tensor receiver, Tensor source, Tensor offsets, Tensor sources, Tensor mirror) -> Tensor");
  m.def("pair_dot(Tensor receiver, Tensor source, Tensor offsets, Tensor sources, Tensor mirror) -> Tensor");
  m.def(
      "weighted_gather(Tensor weights, Tensor x, Tensor offsets, Tensor sources, Tensor mirror,"
      " bool transposed=False) -> Tensor");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) {
  m.impl("pair_sum", pair_sum_meta);
  m.impl("pair_dot", pair_dot_meta);
  m.impl("weighted_gather", weighted_gather_meta);
}

}  // namespace gsan::ops
