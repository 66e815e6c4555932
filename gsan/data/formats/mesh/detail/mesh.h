#pragma once
// What OFF, OBJ and PLY have in common: points and polygons that name them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// Gathers a mesh as its file lists it. Positions count from 0.
class MeshBuilder {
 public:
  /// `unit` says what the places of faces count in messages: "line" or "face".
  MeshBuilder(std::string_view source, std::string_view unit, std::size_t dimension)
      : source_(source), unit_(unit), dimension_(dimension) {}

  void add_point(std::span<const double> coordinates);  ///< as many as the dimension; checked to be finite
  void add_face(std::span<const std::int64_t> corners, std::size_t place);

  std::size_t dimension() const { return dimension_; }
  std::int64_t points() const { return static_cast<std::int64_t>(coordinates_.size() / dimension_); }

  /// All points are listed vertices, labelled first_label, first_label + 1, …; their
  /// coordinates are the values of order 0. Faces with one or two corners are vertices and
  /// edges; a polygon becomes the fan of triangles (c0 c1 c2), (c0 c2 c3), …, which keep
  /// its orientation. A face that repeats a corner is an error, or left out with
  /// options.skip_degenerate. A face may be listed twice: it is one simplex.
  ComplexFile build(std::int64_t first_label, const ReadOptions& options);

 private:
  std::string_view source_, unit_;
  std::size_t dimension_;
  std::vector<double> coordinates_;    // [points, dimension]
  std::vector<std::int64_t> corners_;  // of all faces
  std::vector<std::size_t> sizes_, places_;
};

}  // namespace gsan
