#include "gsan/ops/column_sums.h"

#include <algorithm>

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/row_blocks.h"
#include "gsan/ops/cpu/row_norm_kernel.h"

namespace gsan::ops {
namespace {

at::Tensor sums_cpu(const at::Tensor& g) {
  GSAN_CHECK(g.dim() >= 2, "gsan::column_sums: g must be [..., rows, columns], got ", g.sizes());
  const bool has_kernel = g.scalar_type() == at::kFloat || g.scalar_type() == at::kDouble;
  if (!has_kernel || g.numel() == 0) return g.flatten(0, -2).sum(0);
  const at::Tensor rows = g.contiguous(), to = at::empty({g.size(-1)}, g.options());
  AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "column_sums", [&] {
    const auto* from = rows.const_data_ptr<scalar_t>();
    const RowBlocks blocks(g.numel() / g.size(-1), g.size(-1));
    const auto& kernels = current_build<scalar_t>(GSAN_BUILDS_OF(row_norm));
    const std::vector<double> sums =
        blocks.sums(blocks.channels, [&](std::int64_t first, std::int64_t count, double* part) {
          kernels.add_rows(from + first, count, blocks.channels, part);
        });
    std::copy(sums.begin(), sums.end(), to.mutable_data_ptr<scalar_t>());
  });
  return to;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) { m.impl("column_sums", sums_cpu); }

}  // namespace gsan::ops
