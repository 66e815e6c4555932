#pragma once
// Curves over a common axis: losses by epoch, responses over a spectrum.

#include <span>
#include <string>
#include <vector>

#include "gsan/plot/chart_options.h"

namespace gsan {

struct Curve {
  std::string name{};
  std::vector<double> x{}, y{};
  bool dashed = false;
  bool dots = false;  ///< the points are seen
  bool line = true;   ///< points are joined
  int series = -1;    ///< which colour, for what has the same one in every picture; −1: by its place
};

/// One <g class="curve" data-name="…"> per curve, in it the line and <circle class="point" data-x="…"
/// data-y="…"> with a short <title>, seen or not. A point that is not finite interrupts the line. A line goes
/// through at most 1000 points of a curve, and at most 200 are circles: evenly spaced ones with the first and
/// the last, and those of the smallest and the largest y. A sentence says so where a line leaves points out.
/// The legend comes on top of the height of the options. Errors: no curves, a curve without points, x and y
/// of different lengths.
std::string line_chart(std::span<const Curve> curves, const ChartOptions& options);

}  // namespace gsan
