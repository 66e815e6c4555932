#pragma once
// What tasks on many complexes share.

#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/tasks/shared/structure.h"

namespace gsan {

/// What a bag of vertices knows, and the sizes: [complexes, F_0 + K + 1] float64, the table of the rules.
Tensor sums_and_sizes(const ComplexDataset& dataset);

/// Orders that no complex of the dataset has, but a model with these input widths reads: empty. `structure`:
/// what with_structure() is going to add, and the widths hold already.
void add_empty_orders(ComplexDataset& dataset, const std::vector<int>& widths, StructureChoice structure);

/// The numbers of larger simplices (hodge/degrees.h) beside the features of every order.
ComplexDataset with_structure(StructureChoice choice, ComplexDataset dataset);

/// What complexes without features carry, a sentence for Task::notes(); none where they have features.
std::vector<std::string> structure_notes(const ComplexDataset& dataset, StructureChoice choice,
                                         const std::string& task);

}  // namespace gsan
