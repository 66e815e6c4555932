#include "gsan/plot/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/plot/axes.h"

namespace gsan {
namespace {

struct Bins {
  std::vector<double> edges;  // one more than counts
  std::vector<std::int64_t> counts;
};

Bins count_values(std::span<const double> values, const Range& range, int bins, bool is_log) {
  const auto place = [is_log](double value) { return is_log ? std::log10(value) : value; };
  double low = place(range.low), high = place(range.high);
  if (!(high > low)) {  // one value, one bar around it
    const double room = is_log ? 0.25 : std::max(0.5, 0.05 * std::abs(low));
    low -= room, high += room, bins = 1;
  }
  Bins counted{{}, std::vector<std::int64_t>(static_cast<std::size_t>(bins))};
  for (int i = 0; i <= bins; ++i) {
    const double share = static_cast<double>(i) / bins, edge = low * (1 - share) + high * share;
    counted.edges.push_back(is_log ? std::pow(10, edge) : edge);
  }
  for (const double value : values) {
    if (!std::isfinite(value) || (is_log && value <= 0)) continue;
    const double share = (place(value) / 2 - low / 2) / (high / 2 - low / 2);
    ++counted.counts[static_cast<std::size_t>(std::clamp(static_cast<int>(share * bins), 0, bins - 1))];
  }
  return counted;
}

}  // namespace

std::string histogram(std::span<const double> values, int bins, const ChartOptions& options) {
  check_size("histogram", options);
  GSAN_CHECK(!values.empty(), "histogram: no values to count");
  GSAN_CHECK(bins >= 1 && bins <= 1000, "histogram: bins must be 1 to 1000, got ", bins);
  Range range;
  for (const double value : values) range.include(value, options.log_x);
  if (range.is_empty) range = {1, 1, false};
  const Bins counted = count_values(values, range, bins, options.log_x);
  std::int64_t placed = 0, most = 0;
  for (const std::int64_t count : counted.counts) placed += count, most = std::max(most, count);

  Range along, over;
  along.include(options.log_y ? 0.5 : 0, options.log_y),
      along.include(static_cast<double>(std::max<std::int64_t>(most, 1)), options.log_y);
  over.include(counted.edges.front(), options.log_x), over.include(counted.edges.back(), options.log_x);
  const bool has_left_out = placed < static_cast<std::int64_t>(values.size());
  const PlotArea area =
      plot_area(options, has_left_out ? 1 : 0, tick_width(Scale(along, options.log_y, options.height, 0)));
  const Scale x(over, options.log_x, area.left, area.right),
      y(along, options.log_y, area.bottom, area.top + 6);
  Svg svg(options.width, area.paper_height, options.title.empty() ? "histogram" : options.title);
  draw_frame(svg, options, area, &x, y);
  if (has_left_out)
    svg.text("text", {{"class", "soft small"}, {"x", area.left}, {"y", area.top - 8}},
             concat(values.size() - static_cast<std::size_t>(placed), " of ", values.size(),
                    " values cannot be shown on this axis"));
  for (std::size_t i = 0; i < counted.counts.size(); ++i) {
    const double left = x(counted.edges[i]), right = x(counted.edges[i + 1]);
    const double top = counted.counts[i] == 0 ? area.bottom : y(static_cast<double>(counted.counts[i]));
    const double gap = right - left > 4 ? 1 : 0;
    svg.leaf_with_title("rect",
                        {{"class", "bin s0"},
                         {"x", left},
                         {"y", top},
                         {"width", std::max(right - left - gap, 0.5)},
                         {"height", area.bottom - top},
                         {"fill", "currentColor"},
                         {"data-low", exact_number(counted.edges[i])},
                         {"data-high", exact_number(counted.edges[i + 1])},
                         {"data-count", std::to_string(counted.counts[i])}},
                        concat(counted.counts[i], " from ", tick_text(counted.edges[i]), " to ",
                               tick_text(counted.edges[i + 1])));
  }
  return std::move(svg).finish();
}

}  // namespace gsan
