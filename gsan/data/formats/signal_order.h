#pragma once
// Signals between the user's order and the order of the complex. For a signal that is
// oriented (a flow), the value of a simplex changes its sign with the order of the
// vertices, so it is multiplied by the sign that sorts the listed vertices.

#include <cstdint>
#include <vector>

#include "gsan/data/formats/listed_complex.h"
#include "gsan/data/formats/signal.h"

namespace gsan {

/// The simplices that the rows of a signal belong to: those that the signal names itself
/// (any simplices of the complex, listed or not), else the listed ones of that order.
ListedSimplices list_of(const Signal& signal, const ListedComplex& listed, int order);

/// x[rows[r]] = signs[r] · signal[r] for an oriented signal, without the sign else; NaN for
/// the simplices that are not in the list. The signal must have one row per listed simplex
/// and no simplex may be listed twice.
Signal to_complex_order(const Signal& signal, const ListedSimplices& list, const ListedComplex& listed,
                        bool oriented);
Signal to_complex_order(const Signal& signal, const ListedComplex& listed, int order, bool oriented);

/// The way back: one row per listed simplex; `signal` has one per simplex of the complex.
/// The result names its simplices, vertices as listed.
Signal to_listed_order(const Signal& signal, const ListedSimplices& list, const ListedComplex& listed,
                       bool oriented);
Signal to_listed_order(const Signal& signal, const ListedComplex& listed, int order, bool oriented);

/// [N_k] 1 for each simplex of the complex that the list gives a value to.
std::vector<std::uint8_t> has_value(const ListedSimplices& list, const ListedComplex& listed);

}  // namespace gsan
