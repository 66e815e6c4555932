#include "gsan/hodge/spectral/lambda.h"

#include <algorithm>

#include <ATen/ExpandUtils.h>

#include "gsan/hodge/detail/operand_type.h"
#include "gsan/hodge/parts.h"
#include "gsan/hodge/spectral/detail/lanczos.h"
#include "gsan/ops/segments.h"

namespace gsan {
namespace {

torch::TensorOptions operand_type(const Incidence& lower, const Incidence& upper) {
  return operand_type(lower.is_scaled() ? lower : upper);
}

// The signals that have one column per group, and what comes of them: [..., N_k, H].
struct OperandShape {
  std::vector<std::int64_t> sizes;
  bool grouped = false;
};

OperandShape operand_shape(const Incidence& lower, const Incidence& upper) {
  OperandShape shape{{1, 1}, false};
  for (const Tensor& scale :
       {lower.row_scale(), lower.column_scale(), upper.row_scale(), upper.column_scale()}) {
    if (!scale.defined() || scale.dim() == 1) continue;
    shape.grouped = true;
    std::vector<std::int64_t> sizes = scale.sizes().vec();
    sizes[sizes.size() - 2] = 1;
    shape.sizes = at::infer_size(shape.sizes, sizes);
  }
  shape.sizes[shape.sizes.size() - 2] = lower.columns();
  return shape;
}

}  // namespace

Tensor lambda_bound(const Incidence& lower, const Incidence& upper, std::span<const Index> parts) {
  check_parts("lambda_bound", parts, lower.columns());
  return lambda_bound(lower, upper, part_offsets(parts, lower.columns(), lower.device()));
}

Tensor lambda_bound(const Incidence& lower, const Incidence& upper, const Tensor& part_offsets) {
  const torch::NoGradGuard no_grad;
  const OperandShape shape = operand_shape(lower, upper);
  const Tensor ones = torch::ones({lower.columns(), shape.sizes.back()}, operand_type(lower, upper));
  const Tensor row_sums = lower.absolute_coboundary(lower.absolute_boundary(ones)) +
                          upper.absolute_boundary(upper.absolute_coboundary(ones));
  const Tensor bound = ops::segment_max(row_sums, part_offsets);
  return shape.grouped ? bound : bound.squeeze(-1);
}

Tensor inverse_bound(const Tensor& bound) {
  return torch::where(bound > 0, bound.reciprocal(), torch::ones_like(bound));
}

Tensor lambda_max(const Incidence& lower, const Incidence& upper, std::span<const Index> parts,
                  double tolerance) {
  check_parts("lambda_max", parts, lower.columns());
  const LaplacianShift laplacian(lower, upper, Side::both);
  const OperandShape shape = operand_shape(lower, upper);
  LanczosOptions options;
  options.tolerance = tolerance;
  const Tensor values =
      largest_eigenvalues(laplacian, shape.sizes, parts, operand_type(lower, upper), options)
          .values.to(lower.device());
  return shape.grouped ? values : values.squeeze(-1);
}

double lambda_max(const Incidence& lower, const Incidence& upper, double tolerance) {
  return lambda_max(lower, upper, std::span<const Index>{}, tolerance).item<double>();
}

}  // namespace gsan
