#pragma once
// From tensors to the arguments of the loops in incidence_kernel.h.

#include "gsan/ops/cpu/incidence_kernel.h"
#include "gsan/ops/cpu/incidence_product.h"
#include "gsan/ops/cpu/row_ranges.h"

namespace gsan::ops {

template <class T>
SignedRows<T> signed_rows(const StridedRows& x, const RowTables& tables, bool absolute) {
  SignedRows<T> rows;
  rows.x = x.data<T>();
  rows.x_rows = x.x.size(-2);
  rows.x_stride = x.row_stride;
  rows.entries = tables.entries.const_data_ptr<std::int32_t>();
  rows.entry_count = tables.entries.numel();
  rows.offsets = tables.offsets.defined() ? tables.offsets.const_data_ptr<std::int64_t>() : nullptr;
  rows.columns = tables.columns.defined() ? tables.columns.const_data_ptr<std::uint8_t>() : nullptr;
  rows.width = static_cast<int>(tables.width);
  rows.absolute = absolute;
  return rows;
}

/// Whether lists for so many rows cover their entries; a table always does.
template <class T>
bool has_ends(const SignedRows<T>& lists, std::int64_t rows) {
  return !lists.offsets || (lists.offsets[0] == 0 && lists.offsets[rows] == lists.entry_count);
}

/// The entries before row i.
template <class T>
std::int64_t entries_before(const SignedRows<T>& lists, std::int64_t i) {
  return lists.offsets ? lists.offsets[i] : i * lists.width;
}

}  // namespace gsan::ops
