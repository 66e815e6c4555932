#include <ATen/ops/aminmax.h>
#include <ATen/ops/max.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/incidence_arguments.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/detail/incidence_checks.h"

namespace gsan::ops {
namespace {

// All rows of all signals; false when the tables are no tables.
template <class T>
bool run(const at::Tensor& x, const at::Tensor& y, const RowTables& tables, bool absolute) {
  const StridedRows signal(x);
  IncidenceArguments<T> first;
  static_cast<SignedRows<T>&>(first) = signed_rows<T>(signal, tables, absolute);
  first.y = y.mutable_data_ptr<T>();
  first.rows = y.size(-2);
  first.features = y.size(-1);
  first.stream = should_stream(y);
  if (!has_ends(first, first.rows)) return false;
  const std::int64_t signals = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 2);
  const auto before = [&](std::int64_t i) { return i + entries_before(first, i); };
  return share_rows(signals, first.rows, first.features, before,
                    [&, kernel = current_build<T>(GSAN_BUILDS_OF(incidence))](
                        std::int64_t s, std::int64_t from, std::int64_t to) {
                      IncidenceArguments<T> a = first;
                      a.x += s * signal.signal_stride;
                      a.y += s * a.rows * a.features;
                      return kernel(a, from, to);
                    });
}

at::Tensor product(const at::Tensor& x, std::int64_t rows, const RowTables& tables, bool absolute) {
  c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
  sizes[sizes.size() - 2] = rows;
  at::Tensor y = pooled_empty(sizes, x.options());
  signed_sums(x, y, tables, absolute);
  return y;
}

at::Tensor boundary_cpu(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                        const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, true);
  return product(x, shape.faces.expect_int(),
                 {cofaces.contiguous(), offsets.contiguous(), columns.contiguous(), faces.size(1)}, absolute);
}

at::Tensor coboundary_cpu(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                          const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, false);
  return product(x, shape.simplices.expect_int(), {faces.contiguous(), {}, {}, faces.size(1)}, absolute);
}

}  // namespace

void signed_sums(const at::Tensor& x, const at::Tensor& y, const RowTables& tables, bool absolute) {
  // Nothing to sum: also the case of an order that does not exist.
  if (tables.entries.numel() == 0 || y.numel() == 0) {
    y.zero_();
    return;
  }
  const bool fine = x.scalar_type() == at::kFloat ? run<float>(x, y, tables, absolute)
                                                  : run<double>(x, y, tables, absolute);
  if (!fine)
    fail_on_tables(tables.offsets.defined() ? "gsan::boundary" : "gsan::coboundary", x.size(-2), tables);
}

bool names_rows(const RowTables& tables, std::int64_t x_rows) {
  const auto [smallest, largest] = at::aminmax(tables.entries);
  return smallest.item<std::int32_t>() >= 0 && largest.item<std::int32_t>() < x_rows;
}

void fail_on_tables(const char* who, std::int64_t x_rows, const RowTables& tables) {
  const auto [smallest, largest] = at::aminmax(tables.entries);
  const auto from = smallest.item<std::int32_t>(), to = largest.item<std::int32_t>();
  GSAN_CHECK(names_rows(tables, x_rows), who, ": ", tables.offsets.defined() ? "cofaces" : "faces",
             " must name rows of x, 0 ... ", x_rows - 1, ", got ", from, " ... ", to,
             "; pass the tables of a SimplicialComplex");
  const auto last = tables.columns.defined() ? at::max(tables.columns).item<std::uint8_t>() : 0;
  GSAN_CHECK(last < tables.width, who, ": columns must name columns of faces, 0 ... ", tables.width - 1,
             ", got ", static_cast<int>(last), "; pass the tables of a SimplicialComplex");
  fail(Fault::argument, who, ": offsets must increase from 0 to ", tables.entries.numel(),
       " (the number of incidences), they do not; pass the tables of a SimplicialComplex");
}

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("boundary", boundary_cpu);
  m.impl("coboundary", coboundary_cpu);
}

}  // namespace gsan::ops
