#pragma once
// A patch of the triangulated hexagonal lattice, with holes.

#include <span>

#include "gsan/topology/embedded_complex.h"
#include "gsan/topology/limits.h"

namespace gsan {

/// Removes the lattice points at distance ≤ radius from (x, y), with all that touches them.
struct Disc {
  double x = 0, y = 0, radius = 0;
};

/// rows × columns points of the lattice in which every inner vertex has six neighbours at
/// distance 1: row r lies at height r √3/2, odd rows are shifted by 1/2. Every small triangle
/// is filled. Vertices are numbered row by row over the points that the holes leave. A hole
/// without a lattice point is an error that names it.
EmbeddedComplex hex_grid(Index rows, Index columns, std::span<const Disc> holes = {}, Limits limits = {});

}  // namespace gsan
