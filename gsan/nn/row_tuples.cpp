#include "gsan/nn/row_tuples.h"

#include "gsan/core/check.h"

namespace gsan {

Tensor gather_tuples(std::string_view who, const Tensor& x, const Tensor& tuples) {
  GSAN_CHECK(x.defined() && x.dim() >= 2, who, ": the signal must be [..., N, F]");
  GSAN_CHECK(tuples.defined() && tuples.dim() == 2 && tuples.scalar_type() == torch::kInt64, who,
             ": the tuples must be an int64 tensor [M, t]",
             tuples.defined() ? concat(", got ", tuples.scalar_type(), " ", tuples.sizes()) : "");
  GSAN_CHECK(tuples.device() == x.device(), who, ": the tuples live on ", tuples.device(), ", the signal on ",
             x.device());
  const std::int64_t rows = x.size(-2);
  const Tensor is_outside = (tuples < 0).logical_or_(tuples >= rows);
  if (is_outside.any().item<bool>()) {
    const Tensor where = is_outside.nonzero()[0].cpu();
    const auto m = where[0].item<std::int64_t>(), j = where[1].item<std::int64_t>();
    fail(Fault::argument, who, ": entry ", j, " of tuple ", m, " is ", tuples[m][j].item<std::int64_t>(),
         ", but the signal has ", rows, " rows (0 ... ", rows - 1, ")");
  }
  return x.index_select(-2, tuples.flatten()).unflatten(-2, tuples.sizes());
}

}  // namespace gsan
