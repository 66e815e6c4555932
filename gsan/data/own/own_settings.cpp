#include "gsan/data/own/own_settings.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/data/formats/lift.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {
namespace {

SimplicialComplex lifted_complex(const ComplexFile& file, const OwnSettings& settings) {
  const Limits limits = settings.reading().limits;
  const int order = settings.max_order < 0 ? 2 : settings.max_order;
  switch (settings.lift) {
    case ComplexLift::none:
      break;
    case ComplexLift::clique:
      return lift_clique(file, order, limits).embedded.complex;
    case ComplexLift::rips:
      return lift_rips(file, settings.threshold, order, limits).embedded.complex;
    case ComplexLift::delaunay: {
      SimplicialComplex complex = lift_delaunay(file, limits).embedded.complex;
      return settings.max_order < 0 ? complex : skeleton(complex, settings.max_order).complex;
    }
  }
  return file.listed.complex;
}

}  // namespace

std::vector<std::string> OwnSettings::faults() const {
  std::vector<std::string> faults;
  if (max_order < -1)
    faults.push_back(concat("max_order must be at least 0, or -1 for everything, got ", max_order));
  if (lift == ComplexLift::rips && !(threshold > 0 && std::isfinite(threshold)))
    faults.push_back(concat("threshold must be positive for lift rips: the longest edge, got ", threshold));
  if (lift != ComplexLift::rips && threshold != 0)
    faults.push_back(concat("threshold belongs to lift rips, the lift is ", name_of(lift)));
  return faults;
}

ReadOptions OwnSettings::reading() const {
  ReadOptions options;
  options.max_order = lift == ComplexLift::clique ? 1 : max_order;
  return options;
}

ListedComplex lifted(ComplexFile file, const OwnSettings& settings, const std::string& source) {
  if (settings.lift == ComplexLift::none) return std::move(file.listed);
  if (settings.needs_points() && !file.has_points)
    fail(Fault::format, source, ": data.lift=", name_of(settings.lift),
         " needs points: give them as points.csv with the columns id,x,y (or a file complex.* of points)");
  ListedComplex listed{file.listed.labels, {}, {}};
  try {
    listed.complex = lifted_complex(file, settings);
  } catch (const Error& error) {
    fail(error.fault(), source, ": ", error.what());
  }
  for (int k = 0; k <= listed.complex.order(); ++k) {
    const auto order = static_cast<std::size_t>(k);
    std::vector<Vertex> vertices;
    if (order < file.listed.lists.size()) vertices = std::move(file.listed.lists[order].vertices);
    listed.lists.push_back(place_simplices(listed.complex, k, std::move(vertices)));
  }
  return listed;
}

}  // namespace gsan
