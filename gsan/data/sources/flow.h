#pragma once
// The synthetic flow: walks in a triangulated square with two holes, from the upper left to the lower
// right corner, past the lower left (class 0) or the upper right one (class 1).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gsan/data/datasets.h"

namespace gsan {

/// The keys of the section `data`.
struct FlowSettings {
  int points = 400;
  int signals = 0;
  int seed = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("points", self.points, "flow: points before the holes are cut");
    visit("signals", self.signals, "flow: how many walks; 0: as many as the protocol has");
    visit("seed", self.seed, "flow: which plane and which walks; flows of one seed live on one complex");
  }
  std::vector<std::string> faults() const;
};

struct FlowOptions {
  int points = 400;    ///< before the holes are cut
  int signals = 1200;  ///< the classes alternate: 0, 1, 0, 1, …
  std::uint64_t seed = 0;
};

/// Uniform points in [−0.05, 1.05]², their Delaunay triangles but those with a vertex in one of the holes
/// [.2, .4]² and [.6, .8]²; points in no triangle are left out. Points are drawn again until the complex
/// is connected with β_1 = 2 and each corner has a point. Throws where the library was built without Qhull.
struct FlowPlane {
  SimplicialComplex complex;
  std::vector<std::array<double, 2>> points;  ///< of the vertices
};
FlowPlane flow_plane(int points, std::uint64_t seed);

/// A walk starts in [0, .2] × [.8, 1], goes to a checkpoint in [0, .2]² or [.8, 1]², then to its end in
/// [.8, 1] × [0, .2]: always to the unvisited neighbour nearest to its goal, or, with probability 0.1, to
/// any unvisited one. A stuck walk starts over. Its signal is ±1 on the edges it takes. Walk i depends on
/// seed, points and i alone.
SignalDataset synthetic_flow(const FlowOptions& options = {});

}  // namespace gsan
