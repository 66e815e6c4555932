#pragma once
// A point cloud as CSV: one point a row, one coordinate a column, a header or none. A
// first column called v0, label, id, name, node or vertex holds the labels of the points;
// without it they are 0 … N − 1.

#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// The points as listed vertices of a complex without edges, the coordinates as the values
/// of order 0.
ComplexFile parse_points(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

/// Does the text begin with a header that names a column x?
bool has_points_header(std::string_view bytes);

/// x, y, z; x0, x1, … in more than three dimensions.
std::vector<std::string> coordinate_names(std::size_t dimension);

}  // namespace gsan
