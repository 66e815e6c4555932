#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/ops/cpu/incidence_arguments.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/scaled_kernel.h"
#include "gsan/ops/detail/scaled_incidence_checks.h"

namespace gsan::ops {
namespace {

using Optional = std::optional<at::Tensor>;

// Factors of all signals, or of each one.
struct Factors {
  at::Tensor values;
  std::int64_t signal_stride = 0;

  explicit Factors(const Optional& given) {
    if (!given) return;
    values = given->contiguous();
    if (values.dim() > 2) signal_stride = values.size(-2) * values.size(-1);
  }
  template <class T>
  const T* data(std::int64_t signal) const {
    return values.defined() ? values.const_data_ptr<T>() + signal * signal_stride : nullptr;
  }
};

// y and dots may be undefined. False when the tables are no tables.
template <class T>
bool run(const at::Tensor& x, const Factors& of_x, const Factors& of_y, const RowTables& tables,
         const ScaledShape& shape, bool absolute, const at::Tensor& other, const at::Tensor& y,
         const at::Tensor& dots) {
  const StridedRows signal(x);
  ScaledArguments<T> first{};
  static_cast<SignedRows<T>&>(first) = signed_rows<T>(signal, tables, absolute);
  first.rows = shape.rows.expect_int();
  first.features = x.size(-1);
  first.groups = shape.groups.expect_int();
  first.stream = y.defined() && should_stream(y) && first.features / first.groups * sizeof(T) % 64 == 0;
  if (!has_ends(first, first.rows)) return false;
  const std::int64_t signals = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 2);
  const auto before = [&](std::int64_t i) { return i + entries_before(first, i); };
  return share_rows(signals, first.rows, first.features, before,
                    [&, kernel = current_build<T>(GSAN_BUILDS_OF(scaled))](std::int64_t s, std::int64_t from,
                                                                           std::int64_t to) {
                      ScaledArguments<T> a = first;
                      a.x += s * signal.signal_stride;
                      a.x_factors = of_x.data<T>(s);
                      a.y_factors = of_y.data<T>(s);
                      if (y.defined()) a.y = y.mutable_data_ptr<T>() + s * a.rows * a.features;
                      if (dots.defined()) {
                        a.other = other.const_data_ptr<T>() + s * a.rows * a.features;
                        a.dots = dots.mutable_data_ptr<T>() + s * a.rows * a.groups;
                      }
                      return kernel(a, from, to);
                    });
}

std::tuple<at::Tensor, at::Tensor> sums_cpu(const at::Tensor& x, const Optional& x_factors,
                                            const Optional& y_factors, at::TensorList tables, bool boundary,
                                            bool absolute, const Optional& other, bool with_y) {
  const ScaledShape shape = check_scaled(x, x_factors, y_factors, tables, boundary, other);
  const auto sized = [&](const c10::SymInt& last) {
    c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
    sizes[sizes.size() - 2] = shape.rows.expect_int();
    sizes.back() = last.expect_int();
    // Nothing to sum: also the case of an order that does not exist.
    return tables[0].numel() == 0 || x.numel() == 0 ? at::zeros(sizes, x.options())
                                                    : at::empty(sizes, x.options());
  };
  const at::Tensor none = at::empty({0}, x.options());
  const at::Tensor y = with_y ? sized(x.size(-1)) : at::Tensor(),
                   dots = other ? sized(shape.groups) : at::Tensor();
  if (tables[0].numel() > 0 && x.numel() > 0 && (with_y || other)) {
    const std::int64_t width = tables[0].size(1);
    const RowTables named =
        boundary ? RowTables{tables[2].contiguous(), tables[1].contiguous(), tables[3].contiguous(), width}
                 : RowTables{tables[0].contiguous(), {}, {}, width};
    const at::Tensor partner = other ? other->contiguous() : at::Tensor();
    const Factors of_x(x_factors), of_y(y_factors);
    const bool fine = x.scalar_type() == at::kFloat
                          ? run<float>(x, of_x, of_y, named, shape, absolute, partner, y, dots)
                          : run<double>(x, of_x, of_y, named, shape, absolute, partner, y, dots);
    if (!fine) fail_on_tables("gsan::scaled_incidence", x.size(-2), named);
  }
  return {with_y ? y : none, other ? dots : none};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) { m.impl("scaled_sums", sums_cpu); }

}  // namespace gsan::ops
