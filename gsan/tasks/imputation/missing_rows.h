#pragma once
// Which values are hidden.

#include <cstdint>
#include <vector>

#include "gsan/core/random.h"
#include "gsan/data/datasets.h"

namespace gsan {

/// The rows that are hidden: ⌈percent · N / 100⌉ random ones, increasing.
std::vector<std::int64_t> random_mask(std::int64_t rows, double percent, RandomStream stream);

/// Whole sources (papers) are hidden, in random order, until at least percent of the rows have one of them.
std::vector<std::int64_t> source_mask(const ValueDataset& dataset, int order, double percent,
                                      RandomStream stream);

}  // namespace gsan
