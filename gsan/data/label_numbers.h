#pragma once
// Labels that are numbers to predict, not classes.

#include "gsan/data/datasets.h"

namespace gsan {

/// The labels of the complexes as numbers, float64 [complexes]; NaN where they are unknown. A label that is
/// not a finite number is an error that names its complex.
Tensor label_numbers(const ComplexDataset& dataset);

}  // namespace gsan
