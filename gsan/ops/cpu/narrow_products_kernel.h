#pragma once
// No torch here: the implementation is compiled once per instruction set.

#include <cstdint>

namespace gsan::ops {

/// v is [C, K]: the columns one after the other.
template <class T>
struct NarrowKernels {
  /// to [rows, C] = x v
  void (*product)(const T* x, std::int64_t rows, std::int64_t K, const T* v, std::int64_t C, T* to);
  /// to [C, K] = yᵀ x, for y [rows, C]
  void (*gram)(const T* x, std::int64_t rows, std::int64_t K, const T* y, std::int64_t C, T* to);
  /// x += y vᵀ
  void (*add)(T* x, std::int64_t rows, std::int64_t K, const T* y, std::int64_t C, const T* v);
};

struct NarrowBuild {
  NarrowKernels<float> of_float;
  NarrowKernels<double> of_double;
};

extern const NarrowBuild narrow_products_portable;
extern const NarrowBuild narrow_products_avx2;
extern const NarrowBuild narrow_products_avx512;

}  // namespace gsan::ops
