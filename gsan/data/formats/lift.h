#pragma once
// Complexes lifted from what a file holds: its edges, its points, or its simplices as they are.

#include <vector>

#include "gsan/data/formats/complex_file.h"
#include "gsan/topology/embedded_complex.h"

namespace gsan {

/// A complex with the labels of its vertices, and with their coordinates where there are any.
struct LabeledComplex {
  EmbeddedComplex embedded;
  Labels labels;
};

/// The cliques of the file's edges, up to max_order.
LabeledComplex lift_clique(const ComplexFile& file, int max_order, const Limits& limits);

/// Vietoris-Rips: simplices of points that are pairwise at most `threshold` apart, up to max_order.
LabeledComplex lift_rips(const ComplexFile& file, double threshold, int max_order, const Limits& limits);

/// The Delaunay triangulation of points in the plane or in space.
LabeledComplex lift_delaunay(const ComplexFile& file, const Limits& limits);

/// The simplices of the file with all their faces, and the coordinates of a mesh.
LabeledComplex lift_mesh(const ComplexFile& file);

/// A file of the complex: every simplex listed in the order of the complex; the points are the values of
/// order 0.
ComplexFile list_embedded(EmbeddedComplex embedded, Labels labels);

}  // namespace gsan
