#include "gsan/ops/detail/operand_checks.h"

#include <algorithm>

#include "gsan/core/check.h"

namespace gsan::ops {
namespace {

void check_dense(const char* who, const char* name, const at::Tensor& x, std::int64_t dimensions,
                 const char* shape) {
  GSAN_CHECK(x.dim() >= dimensions, who, ": ", name, " must have the shape ", shape, ", got ", x.sym_sizes());
  GSAN_CHECK(x.layout() == at::kStrided, who, ": ", name, " must be dense, got layout ", x.layout());
}

}  // namespace

void check_signal(const char* who, const char* name, const at::Tensor& x, std::int64_t dimensions,
                  const char* shape) {
  GSAN_CHECK(x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble, who, ": ", name,
             " must be float32 or float64, got ", x.scalar_type());
  check_dense(who, name, x, dimensions, shape);
}

void check_stored_signal(const char* who, const char* name, const at::Tensor& x, std::int64_t dimensions,
                         const char* shape) {
  if (x.scalar_type() == at::kBFloat16 && (x.is_cuda() || x.is_meta()))
    check_dense(who, name, x, dimensions, shape);
  else
    check_signal(who, name, x, dimensions, shape);
}

at::ScalarType sum_type(const at::Tensor& x) {
  return x.scalar_type() == at::kBFloat16 ? at::kFloat : x.scalar_type();
}

void check_companion(const char* who, const char* name, const at::Tensor& x, const char* first_name,
                     const at::Tensor& first, c10::SymIntArrayRef sizes) {
  check_companion(who, name, x, first.scalar_type(), first_name, first, sizes);
}

void check_companion(const char* who, const char* name, const at::Tensor& x, at::ScalarType type,
                     const char* first_name, const at::Tensor& first, c10::SymIntArrayRef sizes) {
  GSAN_CHECK(x.scalar_type() == type, who, ": ", name, " is ", x.scalar_type(), " but ", first_name, " is ",
             first.scalar_type(),
             type == first.scalar_type() ? "" : "; beside it this must be float32, in which sums are made");
  GSAN_CHECK(x.device() == first.device(), who, ": ", name, " is on ", x.device(), " but ", first_name,
             " is on ", first.device());
  GSAN_CHECK(x.layout() == at::kStrided, who, ": ", name, " must be dense, got layout ", x.layout());
  GSAN_CHECK(x.sym_sizes() == sizes, who, ": ", name, " must have the shape ", sizes, " to fit ", first_name,
             ' ', first.sym_sizes(), ", got ", x.sym_sizes());
}

void check_table(const char* who, const char* name, const at::Tensor& table,
                 std::initializer_list<at::ScalarType> types, at::Device device) {
  GSAN_CHECK(std::find(types.begin(), types.end(), table.scalar_type()) != types.end(), who, ": ", name,
             " must be ", *types.begin(), types.size() > 1 ? " or " : "",
             types.size() > 1 ? toString(*(types.end() - 1)) : "", ", got ", table.scalar_type());
  GSAN_CHECK(table.dim() == 1, who, ": ", name, " must have one dimension, got shape ", table.sym_sizes());
  GSAN_CHECK(table.device() == device, who, ": ", name, " is on ", table.device(), " but the values are on ",
             device);
}

c10::SymDimVector sizes_with(const at::Tensor& x, std::int64_t dropped,
                             std::initializer_list<c10::SymInt> last) {
  c10::SymDimVector sizes(x.sym_sizes().begin(), x.sym_sizes().end() - dropped);
  sizes.append(last.begin(), last.end());
  return sizes;
}

}  // namespace gsan::ops
