#pragma once
// The incidence products into memory that the caller has, for kernels that are made of them.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// The tables that name rows of x, contiguous: the face table (offsets and columns undefined), or coface
/// lists.
struct RowTables {
  at::Tensor entries, offsets, columns;
  std::int64_t width;  ///< k + 1, of the face table: columns of the lists lie below it
};

/// y [..., rows, F], contiguous, becomes the signed sums of the rows of x [..., N, F] that the tables name.
void signed_sums(const at::Tensor& x, const at::Tensor& y, const RowTables& tables, bool absolute);

/// Whether all entries lie in 0 … x_rows − 1.
bool names_rows(const RowTables& tables, std::int64_t x_rows);

/// Says which table is none, after a kernel found that one is. `x_rows` is what the entries may name.
[[noreturn]] void fail_on_tables(const char* who, std::int64_t x_rows, const RowTables& tables);

}  // namespace gsan::ops
