#include "gsan/plot/bar_chart.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/check.h"
#include "gsan/plot/axes.h"
#include "gsan/plot/theme.h"

namespace gsan {
namespace {

constexpr double row_height = 28;
constexpr std::size_t longest_name = 36;

std::string number_of(const Bar& bar) {
  if (!std::isfinite(bar.value)) return "no value";
  return concat(tick_text(bar.value), bar.error > 0 ? concat(" ± ", tick_text(bar.error)) : "");
}

void draw_bar(Svg& svg, const Bar& bar, double y, const Scale& x, double left, double gap) {
  const bool has_value = std::isfinite(bar.value);
  const double zero = x(0), end = has_value ? x(bar.value) : zero;
  const bool has_error = has_value && bar.error > 0 && std::isfinite(bar.error);
  svg.text("text", {{"class", "end"}, {"x", left - 10}, {"y", y + row_height / 2 + 4}},
           shortened_inside(bar.name, longest_name));
  svg.leaf_with_title("rect",
                      {{"class", "bar " + series_class(static_cast<std::size_t>(std::max(bar.series, 0)))},
                       {"x", std::min(zero, end)},
                       {"y", y + 4},
                       {"width", std::max(std::abs(end - zero), 0.5)},
                       {"height", row_height - 8},
                       {"fill", "currentColor"},
                       {"data-name", bar.name},
                       {"data-value", exact_number(bar.value)},
                       {"data-error", exact_number(bar.error)}},
                      concat(shortened(bar.name, 60), ": ", number_of(bar)));
  if (has_error) {
    const double low = x(bar.value - bar.error), high = x(bar.value + bar.error), middle = y + row_height / 2;
    svg.leaf("path", {{"class", "axis"},
                      {"d", concat("M", short_number(low), " ", short_number(middle), "H", short_number(high),
                                   "M", short_number(low), " ", short_number(middle - 4), "v8M",
                                   short_number(high), " ", short_number(middle - 4), "v8")}});
  }
  const double tip = std::max({zero, end, has_error ? x(bar.value + bar.error) : zero});
  svg.text("text", {{"class", "soft small"}, {"x", tip + gap}, {"y", y + row_height / 2 + 4}},
           number_of(bar));
}

}  // namespace

std::string bar_chart(std::span<const Bar> bars, const ChartOptions& options) {
  check_size("bar_chart", options);
  GSAN_CHECK(!bars.empty(), "bar_chart: no bars to draw; give at least one");
  GSAN_CHECK(bars.size() <= 500, "bar_chart: ", bars.size(), " bars cannot be read; at most 500 are drawn");
  Range range;
  range.include(0);
  double names = 0, numbers = 0;
  for (const Bar& bar : bars) {
    const double error = std::isfinite(bar.error) ? std::max(bar.error, 0.0) : 0;
    range.include(bar.value - error), range.include(bar.value + error);
    names = std::max(names, text_width(shortened_inside(bar.name, longest_name), 12));
    numbers = std::max(numbers, text_width(number_of(bar), 11));
  }
  const double top = options.title.empty() ? 16 : 42;
  const double bottom = top + row_height * static_cast<double>(bars.size());
  const double left = std::min(16 + names + 10, options.width / 2);
  const double right = std::max(options.width - 24 - numbers, left + 40);
  const Scale x(range, false, left, right);
  Svg svg(options.width, bottom + (options.x_label.empty() ? 32 : 52),
          options.title.empty() ? "bars" : options.title);
  if (!options.title.empty())
    svg.text("text", {{"class", "title"}, {"x", 16}, {"y", 26}}, shortened(options.title, 80));
  for (const double tick : x.ticks(6)) {
    svg.leaf("path",
             {{"class", tick == 0 ? "axis" : "grid"},
              {"d", concat("M", short_number(x(tick)), " ", short_number(top), "V", short_number(bottom))}});
    svg.text("text", {{"class", "soft small middle"}, {"x", x(tick)}, {"y", bottom + 16}}, tick_text(tick));
  }
  if (!options.x_label.empty())
    svg.text("text", {{"class", "soft middle"}, {"x", (left + right) / 2}, {"y", bottom + 38}},
             shortened(options.x_label, 80));
  for (std::size_t i = 0; i < bars.size(); ++i)
    draw_bar(svg, bars[i], top + row_height * static_cast<double>(i), x, left, 8);
  return std::move(svg).finish();
}

}  // namespace gsan
