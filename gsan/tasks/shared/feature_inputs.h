#pragma once
// Inputs of tasks on the simplices of one complex: what is known of them, never what is asked.

#include "gsan/data/datasets.h"
#include "gsan/tasks/shared/placement.h"
#include "gsan/tasks/shared/structure.h"

namespace gsan {

/// The features of every order 0 … K and what the structure adds to them, undefined where an order has
/// neither; 1 on every simplex where no order has any.
Cochains feature_inputs(const ValueDataset& dataset, const Placement& placement, StructureChoice structure);

/// Which orders have no features, and what they carry instead: a sentence for Task::notes(), or none.
std::vector<std::string> structure_notes(const ValueDataset& dataset, StructureChoice choice,
                                         const std::string& task);

/// Their widths, 0 for those that are undefined.
std::vector<int> widths_of(const Cochains& inputs);

}  // namespace gsan
