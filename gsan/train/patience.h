#pragma once
// Waiting for a metric to improve: what early stopping and the plateau schedule have in common.

#include <cmath>
#include <limits>

namespace gsan {

struct Patience {
  double best = std::numeric_limits<double>::quiet_NaN();     ///< NaN: nothing was seen yet
  double best_tie = std::numeric_limits<double>::infinity();  ///< what came with it
  int waited = 0;                                             ///< values since the best one

  /// True when `value` is the best so far by more than `margin`, or equals it with a smaller `tie`. NaN is
  /// never better.
  bool observe(double value, bool more_is_better, double margin = 0,
               double tie = std::numeric_limits<double>::infinity()) {
    const double gain = more_is_better ? value - best : best - value;
    const bool better =
        !std::isnan(value) && (std::isnan(best) || gain > margin || (value == best && tie < best_tie));
    if (better) best = value, best_tie = tie;
    waited = better ? 0 : waited + 1;
    return better;
  }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("best", self.best);
    visit("best_tie", self.best_tie);
    visit("waited", self.waited);
  }
};

}  // namespace gsan
