#include "gsan/ops/narrow_products.h"

#include <algorithm>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/narrow_products_kernel.h"

namespace gsan::ops {
namespace {

// Rows at a time: their pieces of x stay in the nearest caches while the columns take turns.
constexpr std::int64_t block_rows = 256;
constexpr std::int64_t grain = 32768;  // numbers that make another thread worth waking

std::int64_t grain_of(std::int64_t numbers_per_item) {
  return std::max<std::int64_t>(1, grain / std::max<std::int64_t>(1, numbers_per_item));
}

void check_tall(const char* who, const at::Tensor& x, const at::Tensor& other) {
  GSAN_CHECK(x.dim() == 2 && other.dim() == 2 && x.is_cpu() && other.is_cpu() && x.is_contiguous() &&
                 x.scalar_type() == other.scalar_type(),
             who, ": needs contiguous matrices of one type on the CPU, got ", x.scalar_type(), ' ', x.sizes(),
             " and ", other.scalar_type(), ' ', other.sizes());
}

}  // namespace

at::Tensor narrow_product(const at::Tensor& x, const at::Tensor& v) {
  check_tall("narrow_product", x, v);
  GSAN_CHECK(v.size(0) == x.size(1), "narrow_product: x ", x.sizes(), " and v ", v.sizes(), " do not fit");
  const std::int64_t rows = x.size(0), K = x.size(1), C = v.size(1);
  const at::Tensor columns = v.t().contiguous(), to = at::empty({rows, C}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "narrow_product", [&] {
    at::parallel_for(0, rows, grain_of(K * C), [&](std::int64_t begin, std::int64_t end) {
      current_build<scalar_t>(GSAN_BUILDS_OF(narrow_products))
          .product(x.const_data_ptr<scalar_t>() + begin * K, end - begin, K,
                   columns.const_data_ptr<scalar_t>(), C, to.mutable_data_ptr<scalar_t>() + begin * C);
    });
  });
  return to;
}

at::Tensor narrow_gram(const at::Tensor& x, const at::Tensor& y) {
  check_tall("narrow_gram", x, y);
  GSAN_CHECK(y.size(0) == x.size(0) && y.is_contiguous(), "narrow_gram: x ", x.sizes(), " and y ", y.sizes(),
             " do not fit");
  const std::int64_t rows = x.size(0), K = x.size(1), C = y.size(1);
  const std::int64_t blocks = (rows + block_rows - 1) / block_rows;
  const at::Tensor parts = at::empty({blocks, C, K}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "narrow_gram", [&] {
    at::parallel_for(0, blocks, grain_of(block_rows * K), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        const std::int64_t begin = b * block_rows, count = std::min(block_rows, rows - begin);
        current_build<scalar_t>(GSAN_BUILDS_OF(narrow_products))
            .gram(x.const_data_ptr<scalar_t>() + begin * K, count, K,
                  y.const_data_ptr<scalar_t>() + begin * C, C,
                  parts.mutable_data_ptr<scalar_t>() + b * C * K);
      }
    });
  });
  return parts.sum(0).t();
}

void add_narrow_product(const at::Tensor& x, const at::Tensor& y, const at::Tensor& v) {
  check_tall("add_narrow_product", x, y);
  check_tall("add_narrow_product", x, v);
  GSAN_CHECK(y.is_contiguous() && y.size(0) == x.size(0) && v.size(0) == x.size(1) && v.size(1) == y.size(1),
             "add_narrow_product: x ", x.sizes(), ", y ", y.sizes(), " and v ", v.sizes(), " do not fit");
  const std::int64_t rows = x.size(0), K = x.size(1), C = y.size(1);
  const at::Tensor transposed = v.t().contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "add_narrow_product", [&] {
    at::parallel_for(0, rows, grain_of(K * C), [&](std::int64_t begin, std::int64_t end) {
      current_build<scalar_t>(GSAN_BUILDS_OF(narrow_products))
          .add(x.mutable_data_ptr<scalar_t>() + begin * K, end - begin, K,
               y.const_data_ptr<scalar_t>() + begin * C, C, transposed.const_data_ptr<scalar_t>());
    });
  });
}

}  // namespace gsan::ops
