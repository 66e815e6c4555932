#pragma once
// How the complexes of a user's folder are read: its keys of the section `data`.

#include <string>
#include <vector>

#include "gsan/core/options.h"
#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// What is made of the file of a complex.
enum class ComplexLift {
  none,      ///< its simplices
  clique,    ///< the cliques of its edges
  rips,      ///< points that are pairwise close (points.csv)
  delaunay,  ///< the Delaunay triangulation of points in the plane or in space
};

template <>
struct EnumNames<ComplexLift> {
  static constexpr std::pair<ComplexLift, std::string_view> names[] = {{ComplexLift::none, "none"},
                                                                       {ComplexLift::clique, "clique"},
                                                                       {ComplexLift::rips, "rips"},
                                                                       {ComplexLift::delaunay, "delaunay"}};
};

struct OwnSettings {
  int max_order = -1;
  ComplexLift lift = ComplexLift::none;
  double threshold = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("max_order", self.max_order,
          "your own complexes: larger simplices contribute their faces of this order; -1: everything (lifts "
          "clique and rips: 2)");
    visit(
        "lift", self.lift,
        "your own complexes: cliques of the edges, or Vietoris-Rips or Delaunay complexes of points.csv, in "
        "place of the simplices of the file");
    visit("threshold", self.threshold, "lift rips: the longest edge");
  }
  std::vector<std::string> faults() const;

  bool needs_points() const { return lift == ComplexLift::rips || lift == ComplexLift::delaunay; }
  ReadOptions reading() const;  ///< of the file of a complex
};

/// The complex of a file that was read with settings.reading(). The labels, and which simplices are listed,
/// stay those of the file, which `source` names in messages.
ListedComplex lifted(ComplexFile file, const OwnSettings& settings, const std::string& source);

}  // namespace gsan
