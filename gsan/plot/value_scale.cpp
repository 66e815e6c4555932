#include "gsan/plot/value_scale.h"

#include <algorithm>
#include <cmath>

#include "gsan/plot/axes.h"
#include "gsan/plot/theme.h"

namespace gsan {

ValueScale::ValueScale(std::span<const double> values, double full, bool has_direction) {
  Range range;
  for (const double value : values) range.include(value);
  is_signed_ = has_direction || full > 0 || range.low < 0;
  const double largest = full > 0 ? full : std::max(std::abs(range.low), std::abs(range.high));
  low_ = is_signed_ ? -largest : range.low;
  high_ = is_signed_ ? largest : range.high;
}

double ValueScale::strength(double value) const {
  if (!std::isfinite(value)) return 0;
  if (is_signed_) return high_ > 0 ? std::min(1.0, std::abs(value) / high_) : 0;
  return high_ > low_ ? std::clamp((value - low_) / (high_ - low_), 0.0, 1.0) : high_ == 0 ? 0 : 0.5;
}

bool ValueScale::stands_out(double value) const {
  const double size = std::abs(value);
  return std::isfinite(value) && size > 0 && size >= 0.02 * std::max(std::abs(low_), std::abs(high_));
}

std::string ValueScale::color_class(double value) const {
  if (!std::isfinite(value)) return "missing";
  if (!is_signed_) return "sequential";
  return value > 0 ? "positive" : value < 0 ? "negative" : "zero";
}

std::string ValueScale::color(double value) const {
  return is_signed_ || !std::isfinite(value) ? "currentColor" : sequential_color(strength(value));
}

double ValueScale::opacity(double value) const {
  return is_signed_ && std::isfinite(value) ? strength(value) : 1;
}

void ValueScale::draw_bar(Svg& svg, double x, double y, double width, const std::string& name) const {
  constexpr int steps = 40;
  constexpr double height = 10;
  svg.open("g", {{"class", "color-bar"},
                 {"shape-rendering", "crispEdges"},
                 {"data-low", exact_number(low_)},
                 {"data-high", exact_number(high_)}});
  svg.text("text", {{"class", "soft small end"}, {"x", x - 8}, {"y", y + height - 1}}, name);
  for (int i = 0; i < steps; ++i) {
    const double share = (i + 0.5) / steps, value = low_ * (1 - share) + high_ * share;
    svg.leaf("rect", {{"class", color_class(value)},
                      {"x", x + width * i / steps},
                      {"y", y},
                      {"width", width / steps},
                      {"height", height},
                      {"fill", color(value)},
                      {"fill-opacity", opacity(value)}});
  }
  svg.leaf("rect", {{"class", "grid"}, {"x", x}, {"y", y}, {"width", width}, {"height", height}});
  for (const double share : {0.0, 0.5, 1.0}) {
    const double value = low_ * (1 - share) + high_ * share;
    const char* place = share == 0.0 ? "soft small" : share == 1.0 ? "soft small end" : "soft small middle";
    if (high_ > low_ || share == 0.5)
      svg.text("text", {{"class", place}, {"x", x + width * share}, {"y", y + height + 14}},
               tick_text(value, 3));
  }
  svg.close();
}

}  // namespace gsan
