#pragma once
// Values as colours. Signed values go from blue over the paper to red, by the strength of the colour, so that
// 0 fades in light and in dark mode; values without a negative one take the sequential map, unless
// their sign is a direction.

#include <span>
#include <string>

#include "gsan/plot/svg.h"

namespace gsan {

class ValueScale {
 public:
  /// `full`: the |value| of full strength, 0 for the largest one. `has_direction`: signed even where no value
  /// is negative. NaN is passed over.
  explicit ValueScale(std::span<const double> values, double full = 0, bool has_direction = false);

  bool is_signed() const { return is_signed_; }
  double strength(
      double value) const;  ///< in 0 … 1: |value| of signed ones, otherwise the place in the range
  bool stands_out(double value) const;          ///< finite, and at least a fiftieth of the largest |value|
  std::string color_class(double value) const;  ///< positive, negative, zero or missing; for `color`
  std::string color(double value) const;        ///< currentColor, or a colour of the sequential map
  double opacity(double value) const;           ///< the strength where the map is signed, otherwise 1

  /// A bar of `width` with its ends and the middle as numbers below it, and a name on its left; 30 high.
  void draw_bar(Svg& svg, double x, double y, double width, const std::string& name) const;

 private:
  double low_ = 0, high_ = 0;  // signed: −full and full
  bool is_signed_ = false;
};

}  // namespace gsan
