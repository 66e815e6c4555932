#include "gsan/ops/cpu/pair_list.h"

#include <ATen/ops/aminmax.h>

#include "gsan/core/check.h"

namespace gsan::ops {

void fail_on_pairs(const char* who, const at::Tensor& offsets, const at::Tensor& sources,
                   const at::Tensor& mirror) {
  const std::int64_t rows = offsets.size(0) - 1, pairs = sources.size(0);
  const auto check = [&](const at::Tensor& table, const char* name, const char* what, std::int64_t bound) {
    if (!table.defined() || table.numel() == 0) return;
    const auto [smallest, largest] = at::aminmax(table);
    const auto from = smallest.item<std::int64_t>(), to = largest.item<std::int64_t>();
    GSAN_CHECK(from >= 0 && to < bound, who, ": ", name, " must name ", what, ", 0 ... ", bound - 1, ", got ",
               from, " ... ", to, "; pass the tables of a Neighborhood");
  };
  check(sources, "sources", "simplices", rows);
  check(mirror, "mirror", "pairs", pairs);
  fail(Fault::argument, who, ": offsets must increase from 0 to ", pairs,
       " (the number of pairs), they do not; pass the tables of a Neighborhood");
}

}  // namespace gsan::ops
