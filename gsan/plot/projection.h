#pragma once
// Coordinates of any dimension on paper.

#include <span>
#include <string_view>
#include <vector>

namespace gsan {

/// Where vertices are drawn. A vertex with a place that is not finite is not drawn, nor is what contains it.
struct VertexPlaces {
  std::vector<double> xy;     ///< [N_0, 2], y upwards
  std::vector<double> depth;  ///< [N_0], larger is nearer; empty for what is flat
};

/// points [N_0, dimension], dimension ≥ 1. `view`: "principal" (dimensions above two: the two axes of largest
/// variance; else the coordinates as they are), "xy", "xz", "yz", or "AZIMUTH,ELEVATION" in degrees for
/// points in space. Points that are not finite have no place. An error that lists these for another view, and
/// for one that the dimension does not have.
VertexPlaces project_points(std::span<const double> points, int dimension,
                            std::string_view view = "principal");

}  // namespace gsan
