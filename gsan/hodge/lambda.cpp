#include "gsan/hodge/lambda.h"

#include "gsan/hodge/lanczos.h"
#include "gsan/hodge/operand_type.h"
#include "gsan/hodge/parts.h"

namespace gsan {
namespace {

torch::TensorOptions operand_type(const Incidence& lower, const Incidence& upper) {
  const bool scaled = lower.row_scale().defined() || lower.column_scale().defined();
  return operand_type(scaled ? lower : upper);
}

}  // namespace

Tensor lambda_bound(const Incidence& lower, const Incidence& upper, std::span<const Index> parts) {
  check_parts("lambda_bound", parts, lower.columns());
  const torch::NoGradGuard no_grad;
  const Tensor ones = torch::ones({lower.columns(), 1}, operand_type(lower, upper));
  const Tensor row_sums = lower.absolute_coboundary(lower.absolute_boundary(ones)) +
                          upper.absolute_boundary(upper.absolute_coboundary(ones));
  const std::int64_t count = parts.empty() ? 1 : static_cast<std::int64_t>(parts.size()) - 1;
  return largest_per_part(row_sums.squeeze(-1), part_of_row(parts, lower.device()), count);
}

double lambda_max(const Incidence& lower, const Incidence& upper, double tolerance) {
  const LaplacianShift laplacian(lower, upper, Side::both);
  LanczosOptions options;
  options.tolerance = tolerance;
  return largest_eigenvalue(laplacian, lower.columns(), operand_type(lower, upper), options).value;
}

}  // namespace gsan
