#pragma once
// How far a layer, a network or any other map of signals is from a law that holds on every complex.
// Differences are relative to the largest entry of the output where that exceeds 1.

#include <functional>
#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/nn/simplicial_layer.h"
#include "gsan/topology/mapped_complex.h"

namespace gsan::laws {

/// Y = map(operators, x), for any complex.
using CochainMap = std::function<Cochains(const ComplexOperators&, const Cochains&)>;

/// Largest entry of Y(P x) − P Y(x), where P moves signals to the complex with new vertex names.
double renaming_defect(const CochainMap& map, const ComplexOperators& operators, const MappedComplex& mapped,
                       const Cochains& x);

/// Largest difference of Y for the parts in one batch and for each part alone; x[p] are the signals on part
/// p.
double batch_defect(const CochainMap& map, const std::vector<SimplicialComplex>& parts,
                    const std::vector<Cochains>& x, const OperatorOptions& where = {});

/// Largest difference of Y for signals [leading…, N_k, F] at once and for each [N_k, F] alone.
double one_by_one_defect(const CochainMap& map, const ComplexOperators& operators, const Cochains& x);

/// Largest |Σ_j α_ij − 1| over all rows, heads and signals of the returned attention weights.
double attention_row_defect(const LayerOutput& output, const ComplexOperators& operators);

}  // namespace gsan::laws
