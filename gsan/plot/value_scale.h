#pragma once
// Values as colours. Signed values go from blue over the paper to red, by the strength of the colour, so that
// 0 fades in light and in dark mode; values without a negative one take the sequential map.

#include <span>
#include <string>

#include "gsan/plot/svg.h"

namespace gsan {

class ValueScale {
 public:
  /// `full`: the |value| of full strength, 0 for the largest one. NaN is passed over.
  explicit ValueScale(std::span<const double> values, double full = 0);

  bool is_signed() const { return is_signed_; }
  double strength(double value) const;  ///< in 0 … 1: |value| of signed ones, the place in the range else
  std::string color_class(double value) const;  ///< positive, negative, zero or missing; for `color`
  std::string color(double value) const;        ///< currentColor, or a colour of the sequential map
  double opacity(double value) const;           ///< the strength where the map is signed, else 1

  /// A bar of `width` with its ends and the middle as numbers below it, and a name on its left; 30 high.
  void draw_bar(Svg& svg, double x, double y, double width, const std::string& name) const;

 private:
  double low_ = 0, high_ = 0;  // signed: −full and full
  bool is_signed_ = false;
};

}  // namespace gsan
