#pragma once
// A vertex order by repeated halving, the counterpart of a space-filling curve for complexes without
// coordinates: whatever the size of a cache, the rows that fit into it are a compact piece of the complex
// with few edges to the rest. Reverse Cuthill–McKee orders by levels, each of which is a whole front through
// the complex.

#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// New names for `relabel`: the vertices are cut into two halves along the levels of a breadth-first search
/// from a vertex far from the others, and each half again, down to a few vertices. O(edges · log vertices).
std::vector<Vertex> bisection_order(const SimplicialComplex& complex);

/// The same for the vertices first … last − 1 alone, which no edge leaves: their new names are these numbers
/// again, the first is that of `first`.
std::vector<Vertex> bisection_order(const SimplicialComplex& complex, Vertex first, Vertex last);

}  // namespace gsan
