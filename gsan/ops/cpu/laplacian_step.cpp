#include "gsan/ops/laplacian_step.h"

#include <torch/library.h>

#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/incidence_arguments.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/laplacian_step_kernel.h"
#include "gsan/ops/detail/laplacian_step_checks.h"

namespace gsan::ops {
namespace {

// B_k (lower) or B_{k+1}ᵀ (upper) of the signal, and the tables of both products.
// The product goes through memory: to compute its rows again where they are needed was slower at F = 32 on a
// plane of 10^6 edges, along a curve and, by far, in random order.
struct Side {
  RowTables first, second;  // from the signal to the product and back
  at::Tensor product;       // [..., rows, F], scratch for all steps
  bool absolute;

  // Undefined product: nothing to add.
  Side(at::TensorList tables, const at::Tensor& x, bool lower, bool absolute_) : absolute(absolute_) {
    if (tables.empty() || tables[0].numel() == 0) return;
    const std::int64_t width = tables[0].size(1);
    const RowTables faces{tables[0].contiguous(), {}, {}, width};
    const RowTables lists{tables[2].contiguous(), tables[1].contiguous(), tables[3].contiguous(), width};
    first = lower ? lists : faces;
    second = lower ? faces : lists;
    c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
    sizes[sizes.size() - 2] = lower ? tables[1].size(0) - 1 : tables[0].size(0);
    product = pooled_empty(sizes, x.options());
  }
  void multiply(const at::Tensor& x) const {
    if (product.defined()) signed_sums(x, product, first, absolute);
  }
};

struct RowFactors {
  double common;
  at::Tensor rows;  // [N], or undefined = ones

  RowFactors(double factor, const std::optional<at::Tensor>& given, std::int64_t count)
      : common(factor), rows(given ? given->contiguous() : at::Tensor()) {
    if (!rows.defined() || (rows.size(0) == count && count != 1)) return;
    // As the kernel multiplies: in the type of the signal.
    common = rows.scalar_type() == at::kFloat ? static_cast<float>(factor) * rows.const_data_ptr<float>()[0]
                                              : factor * rows.const_data_ptr<double>()[0];
    rows = at::Tensor();
  }
  template <class T>
  const T* data() const {
    return rows.defined() ? rows.const_data_ptr<T>() : nullptr;
  }
};

// y = base + α x + β (both products); false when a table is none.
template <class T>
bool end_step(const at::Tensor& x, const at::Tensor& base, const Side& lower, const Side& upper,
              const RowFactors& alpha, const RowFactors& beta, const at::Tensor& y) {
  LaplacianStepArguments<T> first{};
  const auto rows_of = [](const Side& side) {
    return side.product.defined() ? signed_rows<T>(StridedRows(side.product), side.second, side.absolute)
                                  : SignedRows<T>{};
  };
  first.lower = rows_of(lower);
  first.upper = rows_of(upper);
  const StridedRows own(x), other(base.defined() ? base : x);
  first.x = alpha.common == 0 ? nullptr : own.data<T>();
  first.x_stride = own.row_stride;
  first.base = base.defined() ? other.data<T>() : nullptr;
  first.base_stride = other.row_stride;
  first.alpha = static_cast<T>(alpha.common);
  first.beta = static_cast<T>(beta.common);
  first.row_alpha = alpha.data<T>();
  first.row_beta = beta.data<T>();
  first.y = y.mutable_data_ptr<T>();
  first.rows = y.size(-2);
  first.features = y.size(-1);
  first.absolute = lower.absolute;
  first.stream = should_stream(y);
  if (first.upper.entries && !has_ends(first.upper, first.rows)) return false;
  const std::int64_t signals = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 2);
  const auto before = [&](std::int64_t i) {
    const std::int64_t above = first.upper.entries ? first.upper.offsets[i] : 0;
    return i * (2 + first.lower.width) + above;
  };
  return share_rows(signals, first.rows, first.features, before,
                    [&, kernel = current_build<T>(GSAN_BUILDS_OF(laplacian_step))](
                        std::int64_t s, std::int64_t from, std::int64_t to) {
                      LaplacianStepArguments<T> a = first;
                      if (a.lower.x) a.lower.x += s * a.lower.x_rows * a.features;
                      if (a.upper.x) a.upper.x += s * a.upper.x_rows * a.features;
                      if (a.x) a.x += s * own.signal_stride;
                      if (a.base) a.base += s * other.signal_stride;
                      a.y += s * a.rows * a.features;
                      return kernel(a, from, to);
                    });
}

at::Tensor step_cpu(const at::Tensor& x, const std::optional<at::Tensor>& base, at::TensorList lower_tables,
                    at::TensorList upper_tables, double alpha, double beta,
                    const std::optional<at::Tensor>& row_alpha, const std::optional<at::Tensor>& row_beta,
                    std::int64_t steps, bool absolute) {
  check_laplacian_step(x, base, lower_tables, upper_tables, row_alpha, row_beta, steps);
  if (steps == 0) return base ? *base + x : x.clone();
  at::Tensor y = pooled_empty(x.sizes(), x.options());
  if (y.numel() == 0) return y;
  const Side lower(lower_tables, x, true, absolute), upper(upper_tables, x, false, absolute);
  const RowFactors own(alpha, row_alpha, x.size(-2)), others(beta, row_beta, x.size(-2));
  // The last of the steps, which take turns, ends in y.
  at::Tensor from = x, scratch = steps > 1 ? pooled_empty(x.sizes(), x.options()) : at::Tensor();
  for (std::int64_t left = steps; left-- > 0;) {
    const at::Tensor& to = left % 2 == 0 ? y : scratch;
    lower.multiply(from);
    upper.multiply(from);
    const at::Tensor added = left == 0 && base ? *base : at::Tensor();
    const bool fine = x.scalar_type() == at::kFloat
                          ? end_step<float>(from, added, lower, upper, own, others, to)
                          : end_step<double>(from, added, lower, upper, own, others, to);
    if (!fine) {
      const bool below = lower.product.defined() && !names_rows(lower.second, lower.product.size(-2));
      const Side& side = below ? lower : upper;
      fail_on_tables("gsan::laplacian_step", side.product.size(-2), side.second);
    }
    from = to;
  }
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) { m.impl("laplacian_step", step_cpu); }

}  // namespace gsan::ops
