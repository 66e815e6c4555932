#include "gsan/ops/tall_products.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <tuple>
#include <vector>

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/matrix_kernel.h"
#include "gsan/ops/cpu/narrow_products_kernel.h"
#include "gsan/ops/cpu/share_range.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/tall_products_checks.h"

namespace gsan::ops {
namespace {

// Rows at a time: what is read and made of them stays in a cache of its core.
constexpr std::int64_t block_rows = 128;
// Sums over rows have as many parts, whatever the number of threads: fewer where a part is large.
constexpr std::int64_t most_parts = 64, least_parts = 16, numbers_of_parts = std::int64_t{1} << 22;
constexpr std::int64_t grain = 32768;  // numbers that make another thread worth waking

template <class T>
class Pass {
 public:
  Pass(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& projection)
      : x_(x.const_data_ptr<T>()),
        rows_(x.size(0)),
        K_(x.size(1)),
        C_(weight.size(1)),
        S_(projection.size(1)),
        weight_(weight),
        projection_(projection),
        transposed_projection_(projection.t().contiguous()),
        multiply_(current_build<T>(GSAN_BUILDS_OF(matrix))),
        narrow_(current_build<T>(GSAN_BUILDS_OF(narrow_products))) {}

  void forward(T* products, T* scores) const {
    share(rows_, [&](std::int64_t first, std::int64_t last) {
      for_blocks(first, last, [&](std::int64_t r, std::int64_t count) {
        multiply_({x_ + r * K_, K_, 1, weight_.const_data_ptr<T>(), C_, products + r * C_, C_, count, K_, C_,
                   false});
        if (S_ > 0)
          narrow_.product(x_ + r * K_, count, K_, transposed_projection_.const_data_ptr<T>(), S_,
                          scores + r * S_);
      });
    });
  }

  // `needs`: of_x, the others. of_weight [parts, K, C] and of_projection [parts, S, K] are partial sums.
  void backward(const T* g, const T* s, T* of_x, T* of_weight, T* of_projection,
                std::array<bool, 2> needs) const {
    const at::Tensor transposed = weight_.t().contiguous();
    const std::int64_t part = part_rows();
    share(
        parts() * part,
        [&](std::int64_t first, std::int64_t last) {
          std::vector<T> sums(static_cast<std::size_t>(K_ * S_));
          for (std::int64_t p = first / part; p * part < last; ++p) {
            const std::int64_t begin = p * part, end = std::min(rows_, begin + part);
            for_blocks(begin, end, [&](std::int64_t r, std::int64_t count) {
              if (needs[0]) back_to_x(r, count, g, s, transposed.const_data_ptr<T>(), of_x);
              if (!needs[1]) return;
              multiply_({x_ + r * K_, 1, K_, g + r * C_, C_, of_weight + p * K_ * C_, C_, K_, count, C_,
                         r > begin});
              if (S_ > 0) add_gram(r, count, s, r == begin, sums, of_projection + p * K_ * S_);
            });
          }
        },
        part);
  }

  // Rows of a partial sum, and how many there are.
  std::int64_t part_rows() const {
    const std::int64_t wanted =
        std::clamp(numbers_of_parts / std::max<std::int64_t>(1, K_ * C_), least_parts, most_parts);
    return std::max(block_rows, (rows_ + wanted - 1) / wanted);
  }
  std::int64_t parts() const { return (rows_ + part_rows() - 1) / part_rows(); }

 private:
  // Ranges of so many rows by all threads, each a multiple of `step`.
  template <class Compute>
  void share(std::int64_t rows, const Compute& compute, std::int64_t step = 1) const {
    const std::int64_t least =
        std::max<std::int64_t>(1, grain / std::max<std::int64_t>(1, K_ * (C_ + S_) * step));
    share_range(0, (rows + step - 1) / step, least,
                [&](std::int64_t first, std::int64_t last) { compute(first * step, last * step); });
  }

  template <class Compute>
  static void for_blocks(std::int64_t first, std::int64_t last, const Compute& compute) {
    for (std::int64_t r = first; r < last; r += block_rows) compute(r, std::min(block_rows, last - r));
  }

  void back_to_x(std::int64_t r, std::int64_t count, const T* g, const T* s, const T* transposed,
                 T* of_x) const {
    multiply_({g + r * C_, C_, 1, transposed, K_, of_x + r * K_, K_, count, C_, K_, false});
    if (S_ > 0)
      narrow_.add(of_x + r * K_, count, K_, s + r * S_, S_, transposed_projection_.const_data_ptr<T>());
  }

  void add_gram(std::int64_t r, std::int64_t count, const T* s, bool first, std::vector<T>& sums,
                T* to) const {
    narrow_.gram(x_ + r * K_, count, K_, s + r * S_, S_, first ? to : sums.data());
    if (first) return;
    for (std::size_t i = 0; i < sums.size(); ++i) to[i] += sums[i];
  }

  const T* x_;
  std::int64_t rows_, K_, C_, S_;
  const at::Tensor &weight_, &projection_;
  at::Tensor transposed_projection_;  // [S, K]
  MatrixKernel<T> multiply_;
  const NarrowKernels<T>& narrow_;
};

void check_types(const char* who, const at::Tensor& x, std::initializer_list<at::Tensor> others) {
  check_signal(who, "x", x, 2, "[rows, columns]");
  for (const at::Tensor& other : others)
    GSAN_CHECK(other.scalar_type() == x.scalar_type(), who, ": all operands must be ", x.scalar_type(),
               " as x is, got ", other.scalar_type());
}

std::tuple<at::Tensor, at::Tensor> products_cpu(const at::Tensor& x, const at::Tensor& weight,
                                                const at::Tensor& projection) {
  check_tall_products("gsan::tall_products", x, weight, projection);
  check_types("gsan::tall_products", x, {weight, projection});
  const at::Tensor products = pooled_empty({x.size(0), weight.size(1)}, x.options()),
                   scores = pooled_empty({x.size(0), projection.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "tall_products", [&] {
    Pass<scalar_t>(x, weight, projection)
        .forward(products.mutable_data_ptr<scalar_t>(), scores.mutable_data_ptr<scalar_t>());
  });
  return {products, scores};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> backward_cpu(const at::Tensor& of_products,
                                                            const at::Tensor& of_scores, const at::Tensor& x,
                                                            const at::Tensor& weight,
                                                            const at::Tensor& projection,
                                                            std::array<bool, 2> needs) {
  check_tall_products_backward(of_products, of_scores, x, weight, projection);
  check_types("gsan::tall_products_backward", x, {weight, projection, of_products, of_scores});
  const std::int64_t K = x.size(1), C = weight.size(1), S = projection.size(1);
  const at::Tensor nothing = at::empty({0}, x.options());
  at::Tensor of_x = needs[0] ? pooled_empty(x.sizes(), x.options()) : nothing, of_weight = nothing,
             of_projection = nothing;
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "tall_products_backward", [&] {
    const Pass<scalar_t> pass(x, weight, projection);
    const std::int64_t parts = pass.parts();
    const at::Tensor weights = needs[1] ? at::empty({parts, K, C}, x.options()) : nothing,
                     projections = needs[1] ? at::empty({parts, S, K}, x.options()) : nothing;
    pass.backward(of_products.const_data_ptr<scalar_t>(), of_scores.const_data_ptr<scalar_t>(),
                  of_x.mutable_data_ptr<scalar_t>(), weights.mutable_data_ptr<scalar_t>(),
                  projections.mutable_data_ptr<scalar_t>(), needs);
    if (needs[1]) of_weight = weights.sum(0), of_projection = projections.sum(0).t().contiguous();
  });
  return {of_x, of_weight, of_projection};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("tall_products", products_cpu);
  m.impl("tall_products_backward", backward_cpu);
}

}  // namespace gsan::ops
