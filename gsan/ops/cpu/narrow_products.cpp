#include <algorithm>

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/matrix_kernel.h"
#include "gsan/ops/cpu/narrow_products_kernel.h"
#include "gsan/ops/cpu/share_range.h"
#include "gsan/ops/detail/narrow_products_checks.h"

namespace gsan::ops {
namespace {

// Rows at a time: their pieces of x stay in the nearest caches while the columns take turns.
constexpr std::int64_t block_rows = 256;
constexpr std::int64_t grain = 32768;  // numbers that make another thread worth waking

std::int64_t grain_of(std::int64_t numbers_per_item) {
  return std::max<std::int64_t>(1, grain / std::max<std::int64_t>(1, numbers_per_item));
}

at::Tensor product_cpu(const at::Tensor& x, const at::Tensor& v) {
  check_narrow_product(x, v);
  const std::int64_t rows = x.size(0), K = x.size(1), C = v.size(1);
  const at::Tensor columns = v.t().contiguous(), to = at::empty({rows, C}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "narrow_product", [&] {
    share_range(0, rows, grain_of(K * C), [&](std::int64_t begin, std::int64_t end) {
      current_build<scalar_t>(GSAN_BUILDS_OF(narrow_products))
          .product(x.const_data_ptr<scalar_t>() + begin * K, end - begin, K,
                   columns.const_data_ptr<scalar_t>(), C, to.mutable_data_ptr<scalar_t>() + begin * C);
    });
  });
  return to;
}

at::Tensor gram_cpu(const at::Tensor& x, const at::Tensor& y) {
  check_narrow_gram(x, y);
  const std::int64_t rows = x.size(0), K = x.size(1), C = y.size(1);
  const std::int64_t blocks = (rows + block_rows - 1) / block_rows;
  const at::Tensor parts = at::empty({blocks, C, K}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "narrow_gram", [&] {
    share_range(0, blocks, grain_of(block_rows * K), [&](std::int64_t first, std::int64_t last) {
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

// As many partial sums as this, whatever the number of threads.
constexpr std::int64_t most_gram_blocks = 64;

at::Tensor tall_gram_cpu(const at::Tensor& x, const at::Tensor& y) {
  check_tall_gram(x, y);
  const std::int64_t rows = x.size(0), K = x.size(1), C = y.size(1);
  const std::int64_t block = std::max(block_rows, (rows + most_gram_blocks - 1) / most_gram_blocks);
  const std::int64_t blocks = (rows + block - 1) / block;
  const at::Tensor parts = at::empty({blocks, K, C}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "tall_gram", [&] {
    share_range(0, blocks, grain_of(block * (K + C)), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        // Rows that stay in the nearest cache while the columns of x take turns.
        for (std::int64_t r = b * block; r < std::min(rows, (b + 1) * block); r += block_rows)
          current_build<scalar_t>(GSAN_BUILDS_OF(matrix))(
              {x.const_data_ptr<scalar_t>() + r * K, 1, K, y.const_data_ptr<scalar_t>() + r * C, C,
               parts.mutable_data_ptr<scalar_t>() + b * K * C, C, K,
               std::min({block_rows, rows - r, (b + 1) * block - r}), C, r > b * block});
      }
    });
  });
  return parts.sum(0);
}

at::Tensor& add_cpu(at::Tensor& x, const at::Tensor& y, const at::Tensor& v) {
  check_add_narrow_product(x, y, v);
  const std::int64_t rows = x.size(0), K = x.size(1), C = y.size(1);
  const at::Tensor transposed = v.t().contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "add_narrow_product", [&] {
    share_range(0, rows, grain_of(K * C), [&](std::int64_t begin, std::int64_t end) {
      current_build<scalar_t>(GSAN_BUILDS_OF(narrow_products))
          .add(x.mutable_data_ptr<scalar_t>() + begin * K, end - begin, K,
               y.const_data_ptr<scalar_t>() + begin * C, C, transposed.const_data_ptr<scalar_t>());
    });
  });
  return x;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("narrow_product", product_cpu);
  m.impl("narrow_gram", gram_cpu);
  m.impl("tall_gram", tall_gram_cpu);
  m.impl("add_narrow_product_", add_cpu);
}

}  // namespace gsan::ops
