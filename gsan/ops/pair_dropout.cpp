#include "gsan/ops/pair_dropout.h"

#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pair_dropout_checks.h"

namespace gsan::ops {
namespace {

using Mask = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                        const at::Tensor&, std::int64_t, double, std::int64_t, at::ScalarType);

at::Tensor mask_meta(const at::Tensor& sources, const at::Tensor& shared_keys, const at::Tensor& source_keys,
                     const at::Tensor& part_keys, const at::Tensor& signal_keys, std::int64_t, double p,
                     std::int64_t heads, at::ScalarType type) {
  check_pair_dropout(sources, shared_keys, source_keys, part_keys, signal_keys, p, heads, type);
  return at::empty_symint({signal_keys.sym_size(0), sources.sym_size(0), heads},
                          sources.options().dtype(type));
}

}  // namespace

void check_pair_dropout(const at::Tensor& sources, const at::Tensor& shared_keys,
                        const at::Tensor& source_keys, const at::Tensor& part_keys,
                        const at::Tensor& signal_keys, double p, std::int64_t heads, at::ScalarType type) {
  const char* who = "gsan::pair_dropout_mask";
  check_table(who, "sources", sources, {at::kInt}, sources.device());
  check_table(who, "shared_keys", shared_keys, {at::kInt}, sources.device());
  check_table(who, "source_keys", source_keys, {at::kInt}, sources.device());
  check_table(who, "part_keys", part_keys, {at::kInt}, sources.device());
  check_table(who, "signal_keys", signal_keys, {at::kLong}, sources.device());
  GSAN_CHECK(shared_keys.sym_size(0) == sources.sym_size(0), who,
             ": shared_keys must hold one key per pair, ", sources.sym_size(0), ", got ",
             shared_keys.sym_size(0));
  GSAN_CHECK(part_keys.sym_size(0) == source_keys.sym_size(0), who,
             ": source_keys and part_keys must hold one key per simplex, got ", source_keys.sym_size(0),
             " and ", part_keys.sym_size(0));
  GSAN_CHECK(p >= 0 && p < 1, who, ": p must be at least 0 and less than 1, got ", p);
  GSAN_CHECK(heads >= 0, who, ": the number of heads must not be negative, got ", heads);
  GSAN_CHECK(type == at::kFloat || type == at::kDouble || (type == at::kBFloat16 && !sources.is_cpu()), who,
             ": the type must be float32 or float64, got ", type);
}

at::Tensor pair_dropout_mask(const at::Tensor& sources, const at::Tensor& shared_keys,
                             const at::Tensor& source_keys, const at::Tensor& part_keys,
                             const at::Tensor& signal_keys, std::int64_t stream, double p, std::int64_t heads,
                             at::ScalarType type) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("gsan::pair_dropout_mask", "").typed<Mask>();
  return op.call(sources, shared_keys, source_keys, part_keys, signal_keys, stream, p, heads, type);
}

TORCH_LIBRARY_FRAGMENT(gsan, m) {
  m.def(
      "pair_dropout_mask(Tensor sources, Tensor shared_keys, Tensor source_keys, Tensor part_keys,"
      " Tensor signal_keys, int stream, float p, int heads, ScalarType type) -> Tensor");
}

TORCH_LIBRARY_IMPL(gsan, Meta, m) { m.impl("pair_dropout_mask", mask_meta); }

// A mask has no gradient: nothing to record.
TORCH_LIBRARY_IMPL(gsan, Autograd, m) { m.impl("pair_dropout_mask", torch::CppFunction::makeFallthrough()); }

}  // namespace gsan::ops
