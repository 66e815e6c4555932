#include "gsan/ops/detail/pairs_checks.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/ops/detail/operand_checks.h"

namespace gsan::ops {

PairShape check_pairs(const char* who, const at::Tensor& offsets, const at::Tensor& sources,
                      const at::Tensor& mirror, at::Device device) {
  check_table(who, "offsets", offsets, {at::kLong}, device);
  check_table(who, "sources", sources, {at::kInt}, device);
  check_table(who, "mirror", mirror, {at::kInt, at::kLong}, device);
  GSAN_CHECK(offsets.sym_size(0) >= 1, who,
             ": offsets must hold one number more than there are simplices, got none");
  GSAN_CHECK(sources.sym_size(0) == mirror.sym_size(0), who,
             ": sources and mirror must hold one entry per pair, got ", sources.sym_size(0), " and ",
             mirror.sym_size(0));
  return {offsets.sym_size(0) - 1, sources.sym_size(0)};
}

PairShape check_two_sides(const char* who, const at::Tensor& receiver, const at::Tensor& source,
                          const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                          bool features) {
  const std::int64_t dimensions = features ? 3 : 2;
  check_signal(who, "receiver", receiver, dimensions,
               features ? "[..., simplices, heads, features]" : "[..., simplices, heads]");
  PairShape shape = check_pairs(who, offsets, sources, mirror, receiver.device());
  GSAN_CHECK(receiver.sym_size(-dimensions) == shape.simplices, who, ": receiver must have ", shape.simplices,
             " rows (one per simplex), got ", receiver.sym_size(-dimensions), " in shape ",
             receiver.sym_sizes());
  check_companion(who, "source", source, "receiver", receiver, receiver.sym_sizes());
  return shape;
}

PairShape check_gatv2(const char* who, const at::Tensor& receiver, const at::Tensor& source,
                      const at::Tensor& v, const at::Tensor& offsets, const at::Tensor& sources,
                      const at::Tensor& mirror, double negative_slope) {
  PairShape shape = check_two_sides(who, receiver, source, offsets, sources, mirror, true);
  check_companion(who, "v", v, "receiver", receiver, receiver.sym_sizes().slice(receiver.dim() - 2));
  GSAN_CHECK(std::isfinite(negative_slope), who, ": negative_slope must be finite, got ", negative_slope);
  return shape;
}

PairShape check_gatv2_backward(const at::Tensor& gradient, const at::Tensor& receiver,
                               const at::Tensor& source, const at::Tensor& v, const at::Tensor& offsets,
                               const at::Tensor& sources, const at::Tensor& mirror, double negative_slope) {
  const char* who = "gsan::gatv2_scores_backward";
  PairShape shape = check_gatv2(who, receiver, source, v, offsets, sources, mirror, negative_slope);
  check_companion(who, "gradient", gradient, "receiver", receiver,
                  sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}));
  return shape;
}

PairShape check_gather(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                       const at::Tensor& sources, const at::Tensor& mirror) {
  const char* who = "gsan::weighted_gather";
  check_signal(who, "x", x, 3, "[..., simplices, heads, features]");
  PairShape shape = check_pairs(who, offsets, sources, mirror, x.device());
  GSAN_CHECK(x.sym_size(-3) == shape.simplices, who, ": x must have ", shape.simplices,
             " rows (one per simplex), got ", x.sym_size(-3), " in shape ", x.sym_sizes());
  check_companion(who, "weights", weights, "x", x, sizes_with(x, 3, {shape.pairs, x.sym_size(-2)}));
  return shape;
}

}  // namespace gsan::ops
