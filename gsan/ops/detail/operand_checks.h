#pragma once
// What the ops on pair lists and segments ask of single arguments, in O(1). Sizes are SymInt so that the
// same rules hold while torch.compile traces.

#include <initializer_list>

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace gsan::ops {

/// Throws unless `x` is dense, float32 or float64, and has at least `dimensions` dimensions; `shape`
/// spells them out.
void check_signal(const char* who, const char* name, const at::Tensor& x, std::int64_t dimensions,
                  const char* shape);

/// The same, and on a GPU also bfloat16.
void check_stored_signal(const char* who, const char* name, const at::Tensor& x, std::int64_t dimensions,
                         const char* shape);

/// The type in which numbers stored like `x` are added up: float32 for bfloat16, else its own.
at::ScalarType sum_type(const at::Tensor& x);

/// Throws unless `x` has exactly these sizes and the type, device and layout of `first`.
void check_companion(const char* who, const char* name, const at::Tensor& x, const char* first_name,
                     const at::Tensor& first, c10::SymIntArrayRef sizes);
/// The same for an `x` of another type.
void check_companion(const char* who, const char* name, const at::Tensor& x, at::ScalarType type,
                     const char* first_name, const at::Tensor& first, c10::SymIntArrayRef sizes);

/// Throws unless `table` has one dimension, one of these types and is on this device.
void check_table(const char* who, const char* name, const at::Tensor& table,
                 std::initializer_list<at::ScalarType> types, at::Device device);

/// The sizes of `x` without its last `dropped` ones, then `last`.
c10::SymDimVector sizes_with(const at::Tensor& x, std::int64_t dropped,
                             std::initializer_list<c10::SymInt> last);

}  // namespace gsan::ops
