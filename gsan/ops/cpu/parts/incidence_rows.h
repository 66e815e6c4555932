#pragma once
// Products with (scaled) boundary operators on the rows of a unit.

#include "gsan/ops/cpu/incidence_kernel.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/parts/unit.h"
#include "gsan/ops/cpu/scaled_kernel.h"
#include "gsan/ops/part_layer.h"

namespace gsan::ops {

template <class T>
const T* numbers_of(const at::Tensor& x) {
  return x.defined() ? x.const_data_ptr<T>() : nullptr;
}

/// The rows of x that are summed: by the face table (Bᵀ x) or, with `lists`, by the coface lists (B x).
template <class T>
SignedRows<T> rows_through(const std::vector<at::Tensor>& tables, bool lists, bool absolute,
                           RowsOf<const T> x) {
  SignedRows<T> rows{};
  rows.x = x.data, rows.x_stride = x.stride;
  rows.x_rows = lists ? tables[0].size(0) : tables[1].size(0) - 1;
  const at::Tensor& entries = lists ? tables[2] : tables[0];
  rows.entries = entries.const_data_ptr<std::int32_t>(), rows.entry_count = entries.numel();
  if (lists) {
    rows.offsets = tables[1].const_data_ptr<std::int64_t>();
    rows.columns = tables[3].const_data_ptr<std::uint8_t>();
  }
  rows.width = static_cast<int>(tables[0].size(1));
  rows.absolute = absolute;
  return rows;
}

/// y = diag(y_factors) B' diag(x_factors) x on `range`, B' = B with `lists`, else Bᵀ; factors [rows] or null.
/// `y` has `features` numbers a row.
template <class T>
void signed_rows(const std::vector<at::Tensor>& tables, bool lists, bool absolute, RowsOf<const T> x,
                 const T* x_factors, const T* y_factors, T* y, std::int64_t features, const RowRange& range) {
  if (range.size() == 0) return;
  const SignedRows<T> rows = rows_through<T>(tables, lists, absolute, x);
  const std::int64_t count = lists ? tables[1].size(0) - 1 : tables[0].size(0);
  if (!x_factors && !y_factors) {
    const IncidenceArguments<T> call{{rows}, y, count, features, false};
    current_build<T>(GSAN_BUILDS_OF(incidence))(call, range.begin, range.end);
  } else {
    ScaledArguments<T> call{};
    static_cast<SignedRows<T>&>(call) = rows;
    call.rows = count, call.features = features, call.groups = 1;
    call.x_factors = x_factors, call.y_factors = y_factors, call.y = y;
    current_build<T>(GSAN_BUILDS_OF(scaled))(call, range.begin, range.end);
  }
}

/// y = B x with `lists`, else Bᵀ x, with the scales of the operator, on `range`.
template <class T>
void couple(const PartIncidence& B, bool lists, RowsOf<const T> x, T* y, std::int64_t features,
            const RowRange& range) {
  const T *rows = numbers_of<T>(B.row_scale), *columns = numbers_of<T>(B.column_scale);
  signed_rows<T>(B.tables, lists, B.absolute, x, lists ? columns : rows, lists ? rows : columns, y, features,
                 range);
}

}  // namespace gsan::ops
