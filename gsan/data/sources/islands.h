#pragma once
// Drifters among islands: walks on a hexagonal grid with holes, each around two of them, in noise that has no
// harmonic part. Does a walk turn around both islands the same way (class 0), or the opposite way (class 1)?
//
// Nothing near one edge answers that, nor does any linear function of the signal: x and −x have one class,
// and the senses around the two islands are coins. The harmonic part of x holds both senses, free of noise.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/topology/embedded_complex.h"

namespace gsan {

/// The keys of the section `data`.
struct IslandsSettings {
  int rows = 12;
  int columns = 20;
  int holes = 2;
  int signals = 1000;
  double noise = 0.2;
  int seed = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("rows", self.rows, "islands: rows of the hexagonal grid");
    visit("columns", self.columns, "islands: points in a row");
    visit("holes", self.holes, "islands: how many; a walk turns around two of them");
    visit("signals", self.signals, "islands: how many walks; 0: as many as the protocol has");
    visit("noise", self.noise,
          "islands: standard deviation of the noise on an edge, half gradient, half curl");
    visit("seed", self.seed, "islands: which walks and which noise; the grid has no randomness");
  }
  std::vector<std::string> faults() const;
};

/// hex_grid of so many rows and columns. The holes are discs of radius 1.5 in a row at half height.
EmbeddedComplex islands_grid(const IslandsSettings& settings);

/// `signals` walks as flows on the edges; the classes alternate: 0, 1, 0, 1, … A walk starts near one island,
/// goes once around it, on to another one, and once around that; it winds: every leg is a shortest path for
/// edge lengths drawn anew for each walk. The noise B_1ᵀ u + B_2 v has normal u and v. Walk and noise i
/// depend on the settings but `signals`, and on i, alone.
SignalDataset islands_dataset(const IslandsSettings& settings);

}  // namespace gsan
