#pragma once
// The loop behind both incidence products: row i of the result is a signed sum of rows
// of x, listed in a table of fixed width (faces: Bᵀ x) or in lists (cofaces: B x).
// No torch here: the implementation is compiled once per instruction set.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

/// Which rows of x are summed, with which signs.
template <class T>
struct SignedRows {
  const T* x;  ///< [x_rows, features]
  std::int64_t x_rows;
  std::int64_t x_stride;        ///< numbers from one row of x to the next
  const std::int32_t* entries;  ///< rows of x: the face table or the coface lists
  std::int64_t entry_count;
  const std::int64_t* offsets;  ///< [rows + 1] for lists; null for the face table
  const std::uint8_t* columns;  ///< per entry of the lists; null for the face table
  int width;                    ///< k + 1, of the face table; columns lie below it
  bool absolute;                ///< all signs +
};

template <class T>
struct IncidenceArguments : SignedRows<T> {
  T* y;  ///< [rows, features], overwritten
  std::int64_t rows;
  std::int64_t features;  ///< at least 1
  bool stream;            ///< y is large: write past the caches
};

/// Computes rows begin … end − 1. Every entry it uses is checked: false, with y partly
/// written, when one of them (or an offset) is out of range. A row is always summed in
/// the order of its entries, so neither the cut into ranges nor the instruction set
/// changes a bit of the result.
template <class T>
using IncidenceKernel = bool (*)(const IncidenceArguments<T>&, std::int64_t begin, std::int64_t end);

GSAN_DECLARE_KERNEL(incidence, IncidenceKernel);

}  // namespace gsan::ops
