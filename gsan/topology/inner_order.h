#pragma once
// In which order a model computes on a complex, and when another than the given one pays. The rule reads the
// complex alone, never a clock or a machine, so that equal complexes give equal bits everywhere.

#include <cstdint>
#include <span>
#include <vector>

#include "gsan/topology/reorder.h"

namespace gsan {

/// A complex with fewer simplices in each of its orders keeps its order: 32 features of so many rows are
/// 4 MiB, which stay close to the core in any order.
inline constexpr Index least_reordered_rows = 1 << 15;

/// By how many bits the distance between the ends of an edge must become shorter on average: a curve, a
/// mesh row by row and a graph that no order helps are left alone.
inline constexpr std::int64_t least_reordering_gain = 2;

/// Σ over the edges {u, v} of the vertices first … last − 1, which no edge leaves, of the bits of the number
/// |name(u) − name(v)|: how far apart a pass along the rows finds neighbours (minimum logarithmic
/// arrangement). new_name[v − first]; without names the given ones.
std::int64_t arrangement_bits(const SimplicialComplex& complex, Vertex first, Vertex last,
                              std::span<const Vertex> new_name = {});

/// New names for `relabel`, or none where every vertex keeps its own. `parts`: the offsets of the parts of a
/// batch per order (disjoint_union.h); each part is judged and ordered by itself, as if it were alone.
std::vector<Vertex> inner_names(const SimplicialComplex& complex, VertexOrder order,
                                std::span<const std::vector<Index>> parts);

}  // namespace gsan
