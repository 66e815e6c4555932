#pragma once
// Random graphs and points: inputs for demos, tests and benchmarks of the lifts.

#include <vector>

#include "gsan/core/random.h"
#include "gsan/topology/graph.h"

namespace gsan {

/// Erdős–Rényi G(n, m): `edge_count` different edges, every such graph equally likely.
std::vector<Edge> erdos_renyi(Index vertex_count, Index edge_count, RandomStream& random);

/// Barabási–Albert: each new vertex joins `links` earlier ones, chosen by degree; the first
/// links + 1 vertices are a star. Early vertices become hubs.
std::vector<Edge> barabasi_albert(Index vertex_count, Index links, RandomStream& random);

/// `count` points, uniform in the unit cube; row-major [count, dimension].
std::vector<double> uniform_points(Index count, int dimension, RandomStream& random);

}  // namespace gsan
