#pragma once
// The Delaunay complex of points in the plane or in space.

#include <span>

#include "gsan/topology/complex.h"
#include "gsan/topology/limits.h"

namespace gsan {

/// Triangles (dimension 2) or tetrahedra (dimension 3) with no point inside their
/// circumsphere, and all their faces. `points` is row-major [N, dimension]; vertex i is
/// point i. Computed by Qhull in double precision on coordinates moved and scaled to the
/// unit box; cospherical points (grids) are triangulated without moving them (Qhull's Qt),
/// so the result is always a triangulation of the convex hull.
///
/// No points give the empty complex. Errors that name the points: a coordinate that is
/// not finite, fewer than dimension + 1 points, points on one line (plane), two points
/// that coincide up to rounding (about 1e-7 of the box). Throws where the library was
/// built without Qhull.
SimplicialComplex delaunay(std::span<const double> points, int dimension, Limits limits = {});

/// Whether delaunay() is available in this build.
bool has_delaunay();

}  // namespace gsan
