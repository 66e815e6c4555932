#include "gsan/plot/axes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gsan/core/check.h"

namespace gsan {
namespace {

constexpr int x_ticks = 7, y_ticks = 6;

// The smallest of 1, 2, 5 times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

void Range::include(double value, bool is_log) {
  if (!std::isfinite(value) || (is_log && value <= 0)) return;
  low = is_empty ? value : std::min(low, value);
  high = is_empty ? value : std::max(high, value);
  is_empty = false;
}

Scale::Scale(Range range, bool is_log, double start, double end)
    : low_(range.low), high_(range.high), start_(start), end_(end), is_log_(is_log) {
  if (range.is_empty) low_ = is_log ? 0.1 : 0, high_ = 1;
  if (is_log) {
    low_ = std::log10(low_), high_ = std::log10(high_);
    if (high_ - low_ < 1e-9) low_ -= 0.5, high_ += 0.5;
    return;
  }
  // Values that differ by rounding alone are one value.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ / 2 - low_ / 2 <= 1e-12 * size || size == 0) {
    const double room = size > 0 ? 0.1 * size : 1;
    low_ -= room, high_ += room;
  }
}

bool Scale::places(double value) const { return std::isfinite(value) && (!is_log_ || value > 0); }

double Scale::operator()(double value) const {
  const double at = is_log_ ? std::log10(value) : value;
  // Halves: the width of the range may be beyond the largest double.
  return start_ + (end_ - start_) * ((at / 2 - low_ / 2) / (high_ / 2 - low_ / 2));
}

std::vector<double> Scale::ticks(int about) const {
  std::vector<double> found;
  if (is_log_) {
    const int stride = std::max(1, static_cast<int>(std::ceil((high_ - low_) / about)));
    const bool is_short = high_ - low_ < 1.5;
    for (int power = static_cast<int>(std::floor(low_)); power <= high_; power += stride)
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10, power), at = std::log10(value);
        if (at >= low_ - 1e-9 && at <= high_ + 1e-9 && (is_short || factor == 1.0)) found.push_back(value);
      }
    return found;
  }
  const double step = round_step((high_ / 2 - low_ / 2) / about * 2);
  if (!std::isfinite(step)) return {low_, high_};
  const double first = std::ceil(low_ / step - 1e-9);
  for (int i = 0; i <= 3 * about && (first + i) * step <= high_ + 1e-9 * step; ++i)
    found.push_back((first + i) * step);
  return found;
}

std::string tick_text(double value, int digits) {
  if (value == 0) return "0";
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
  const std::string short_text(buffer.data(), end.ptr);
  const std::size_t e = short_text.find('e');
  if (e == std::string::npos) return short_text;
  const int power = std::stoi(short_text.substr(e + 1));
  return short_text.substr(0, e + 1) + std::to_string(power);
}

double tick_width(const Scale& scale) {
  double width = 0;
  for (const double tick : scale.ticks(y_ticks)) width = std::max(width, text_width(tick_text(tick), 11));
  return width;
}

PlotArea plot_area(const ChartOptions& options, int legend_rows, double widest_tick) {
  PlotArea area;
  area.left = 16 + widest_tick + (options.y_label.empty() ? 4 : 24);
  area.right = options.width - 20;
  area.top = (options.title.empty() ? 16 : 42) + 18.0 * legend_rows;
  area.paper_height = options.height + 18.0 * legend_rows;
  area.bottom = area.paper_height - (options.x_label.empty() ? 32 : 50);
  return area;
}

void draw_frame(Svg& svg, const ChartOptions& options, const PlotArea& area, const Scale* x, const Scale& y) {
  const double middle = (area.left + area.right) / 2;
  if (!options.title.empty())
    svg.text("text", {{"class", "title"}, {"x", area.left}, {"y", 26}}, shortened(options.title, 80));
  for (const double tick : y.ticks(y_ticks)) {
    const double at = y(tick);
    svg.leaf(
        "path",
        {{"class", "grid"},
         {"d", concat("M", short_number(area.left), " ", short_number(at), "H", short_number(area.right))}});
    svg.text("text", {{"class", "soft small end"}, {"x", area.left - 8}, {"y", at + 4}}, tick_text(tick));
  }
  svg.leaf("path", {{"class", "axis"},
                    {"d", concat("M", short_number(area.left), " ", short_number(area.bottom), "H",
                                 short_number(area.right))}});
  if (x) {
    for (const double tick : x->ticks(x_ticks)) {
      if (options.whole_x && tick != std::round(tick)) continue;
      const double at = (*x)(tick);
      svg.leaf("path", {{"class", "axis"},
                        {"d", concat("M", short_number(at), " ", short_number(area.bottom), "v5")}});
      svg.text("text", {{"class", "soft small middle"}, {"x", at}, {"y", area.bottom + 18}}, tick_text(tick));
    }
  }
  if (!options.x_label.empty())
    svg.text("text", {{"class", "soft middle"}, {"x", middle}, {"y", area.bottom + 38}},
             shortened(options.x_label, 80));
  if (!options.y_label.empty())
    svg.text(
        "text",
        {{"class", "soft middle"},
         {"transform", concat("translate(18 ", short_number((area.top + area.bottom) / 2), ") rotate(-90)")}},
        shortened(options.y_label, 60));
}

void check_size(const char* who, const ChartOptions& options) {
  GSAN_CHECK(
      options.width >= 200 && options.width <= 10000 && options.height >= 120 && options.height <= 10000, who,
      ": width must be 200 to 10000 and height 120 to 10000, got ", options.width, " x ", options.height);
}

}  // namespace gsan
