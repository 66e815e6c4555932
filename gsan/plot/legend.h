#pragma once
// Names of curves beside a sample of their colour.

#include <string>
#include <vector>

#include "gsan/plot/axes.h"

namespace gsan {

struct LegendEntry {
  std::string name, color_class;
  bool dashed = false;
};

/// At most twelve entries; the last says how many more there are. Names longer than 40 characters are cut.
class Legend {
 public:
  Legend(std::vector<LegendEntry> entries, double width);  ///< a single entry needs no legend
  int rows() const { return rows_; }
  void draw(Svg& svg, double left, double top) const;

 private:
  struct Placed {
    LegendEntry entry;
    double x = 0;
    int row = 0;
  };
  std::vector<Placed> placed_;
  int rows_ = 0;
};

}  // namespace gsan
