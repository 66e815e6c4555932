#pragma once
// Kernels of ops/narrow_products.h. x [rows, K] is stored as S, all others are of the type it is computed in;
// x, y and results are contiguous and begin at a multiple of 16 bytes.

#include "gsan/ops/cuda/partials.h"

namespace gsan::ops::cuda {

/// v [K, C] with any strides.
template <class T>
struct NarrowColumns {
  const T* data = nullptr;
  std::int64_t row = 0, column = 0;
  int K = 0, C = 0;
};

/// Whether v fits the memory that a block shares, for the two below.
template <class S>
bool fits_narrow_product(std::int64_t K, std::int64_t C);

/// to [rows, C] = x v
template <class S>
void launch_narrow_product(const S* x, const NarrowColumns<Compute<S>>& v, Compute<S>* to, std::int64_t rows,
                           Stream stream);

/// x += y vᵀ for y [rows, C]
template <class S>
void launch_add_narrow_product(S* x, const NarrowColumns<Compute<S>>& v, const Compute<S>* y,
                               std::int64_t rows, Stream stream);

/// Most columns of y for the kernel below.
constexpr std::int64_t most_gram_columns = 8;

inline RowBlocks gram_blocks(std::int64_t rows) { return {rows, 256, 1024}; }

/// parts [gram_blocks(rows).count, K, C] of xᵀ y.
template <class S>
void launch_narrow_gram(const S* x, const Compute<S>* y, Compute<S>* parts, std::int64_t rows, int K, int C,
                        Stream stream);

}  // namespace gsan::ops::cuda
