#pragma once
// What tasks on many complexes share.

#include <vector>

#include "gsan/data/datasets.h"

namespace gsan {

/// What a bag of vertices knows, and the sizes: [complexes, F_0 + K + 1] float64, the table of the rules.
Tensor sums_and_sizes(const ComplexDataset& dataset);

/// Orders that no complex of the dataset has, but a model with these input widths reads: empty.
void add_empty_orders(ComplexDataset& dataset, const std::vector<int>& widths);

}  // namespace gsan
