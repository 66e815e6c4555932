#pragma once
// The Vietoris–Rips complex: the clique complex of the graph of close points.

#include <span>

#include "gsan/topology/complex.h"
#include "gsan/topology/graph.h"
#include "gsan/topology/limits.h"

namespace gsan {

/// Pairs of points at Euclidean distance ≤ max_edge_length. `points` is row-major
/// [N, dimension], any dimension ≥ 1, finite; vertex i is point i; max_edge_length ≥ 0 may be
/// infinite. Points are compared with those in neighbouring cells of a grid over (up to)
/// three coordinates, so low-dimensional clouds cost about as much as they have edges.
Graph rips_graph(std::span<const double> points, int dimension, double max_edge_length, Limits limits = {});

/// All simplices of at most max_order + 1 points that are pairwise within max_edge_length.
SimplicialComplex rips_complex(std::span<const double> points, int dimension, double max_edge_length,
                               int max_order, Limits limits = {});

}  // namespace gsan
