#include "gsan/data/formats/mesh/detail/mesh.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/check.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/points_csv.h"

namespace gsan {

void MeshBuilder::add_point(std::span<const double> coordinates) {
  for (std::size_t i = 0; i < dimension_; ++i) {
    if (!std::isfinite(coordinates[i])) {
      fail(Fault::format, source_, ": point ", points(), ", coordinate ", i, " must be finite, got ",
           coordinates[i]);
    }
  }
  coordinates_.insert(coordinates_.end(), coordinates.begin(),
                      coordinates.begin() + static_cast<std::ptrdiff_t>(dimension_));
}

void MeshBuilder::add_face(std::span<const std::int64_t> corners, std::size_t place) {
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  sizes_.push_back(corners.size());
  places_.push_back(place);
}

ComplexFile MeshBuilder::build(std::int64_t first_label, const ReadOptions& options) {
  ListBuilder builder(source_, unit_);
  for (std::int64_t i = 0; i < points(); ++i) {
    builder.add(first_label + i);
    builder.end_simplex(static_cast<std::size_t>(i));
  }
  std::vector<std::int64_t> sorted;
  const std::int64_t* face = corners_.data();
  for (std::size_t f = 0; f < sizes_.size(); face += sizes_[f], ++f) {
    const std::size_t size = sizes_[f];
    const auto refuse = [&](const auto&... parts) {
      const std::string where = unit_ == "line" ? concat(source_, ":", places_[f], ": ")
                                                : concat(source_, ": ", unit_, " ", places_[f], ": ");
      fail(Fault::format, where, parts...);
    };
    if (size == 0 && options.skip_degenerate) continue;
    if (size == 0) refuse("a face needs at least one corner");
    sorted.assign(face, face + size);
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || sorted.back() >= points()) {
      refuse("a face names point ", first_label + (sorted.front() < 0 ? sorted.front() : sorted.back()),
             ", but the points are ", first_label, " ... ", first_label + points() - 1);
    }
    const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
    if (repeated != sorted.end()) {
      if (options.skip_degenerate) continue;
      refuse("a face names point ", first_label + *repeated,
             " twice; repair the mesh, or read it with skip_degenerate to leave such faces out");
    }
    if (size == 1) continue;  // the point is listed already
    for (std::size_t i = 2; i < std::max<std::size_t>(size, 3); ++i) {
      builder.add(first_label + face[0]);
      builder.add(first_label + face[i - 1]);
      if (size > 2) builder.add(first_label + face[i]);
      builder.end_simplex(places_[f]);
    }
  }
  ComplexFile file{builder.build(Repeats::merge, options), {}};
  file.values.resize(file.listed.lists.size());
  if (points() == 0) return file;
  file.has_points = true;
  Signal& positions = file.values[0];
  positions.rows = static_cast<std::size_t>(points());
  positions.columns = dimension_;
  positions.names = coordinate_names(dimension_);
  positions.values = std::move(coordinates_);
  return file;
}

}  // namespace gsan
