#include "gsan/plot/line_chart.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "gsan/core/check.h"
#include "gsan/plot/axes.h"
#include "gsan/plot/legend.h"
#include "gsan/plot/theme.h"

namespace gsan {
namespace {

constexpr std::size_t most_points = 1000, most_markers = 200;  // of one curve

// All points, or about `limit`: evenly spaced ones with the first and the last, and those to keep.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& points, std::size_t limit,
                                 std::vector<std::size_t> keep) {
  if (points.size() <= limit) return points;
  const std::size_t even = limit - keep.size();
  for (std::size_t i = 0; i < even; ++i) keep.push_back(points[i * (points.size() - 1) / (even - 1)]);
  std::sort(keep.begin(), keep.end());
  keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
  return keep;
}

// The class of curve c.
std::string color_of(std::span<const Curve> curves, std::size_t c) {
  return series_class(curves[c].series < 0 ? c : static_cast<std::size_t>(curves[c].series));
}

// A point as the path of a dot is a line of no length with round ends.
std::string path_of(const std::vector<std::size_t>& points, const Curve& curve, const Scale& x,
                    const Scale& y, bool is_line) {
  std::string path;
  bool is_joined = false;
  for (const std::size_t i : points) {
    const bool has_place = x.places(curve.x[i]) && y.places(curve.y[i]);
    if (has_place)
      path += concat(is_joined ? "L" : "M", short_number(x(curve.x[i])), " ", short_number(y(curve.y[i])),
                     is_line ? "" : "h0");
    is_joined = has_place && is_line;
  }
  return path;
}

void draw_curve(Svg& svg, const Curve& curve, const std::string& color, const Scale& x, const Scale& y) {
  std::vector<std::size_t> all(curve.x.size()), placed, extremes;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::copy_if(all.begin(), all.end(), std::back_inserter(placed),
               [&](std::size_t i) { return x.places(curve.x[i]) && y.places(curve.y[i]); });
  const auto [lowest, highest] = std::minmax_element(
      placed.begin(), placed.end(), [&](std::size_t i, std::size_t j) { return curve.y[i] < curve.y[j]; });
  if (!placed.empty()) extremes = {*lowest, *highest};
  const std::vector<std::size_t> points = thinned(all, most_points, extremes),
                                 markers = thinned(placed, most_markers, extremes);
  svg.open("g", {{"class", "curve " + color},
                 {"data-name", curve.name},
                 {"fill", "currentColor"},
                 {"fill-opacity", curve.dots ? 1 : 0}});
  if (curve.line)
    svg.leaf("path", {{"d", path_of(points, curve, x, y, true)},
                      {"fill", "none"},
                      {"stroke", "currentColor"},
                      {"stroke-width", 2},
                      {"stroke-linejoin", "round"},
                      {"stroke-dasharray", curve.dashed ? "5 4" : "none"}});
  if (curve.dots && markers.size() < placed.size())
    svg.leaf("path", {{"class", "dots"},
                      {"d", path_of(points, curve, x, y, false)},
                      {"stroke", "currentColor"},
                      {"stroke-width", 6},
                      {"stroke-linecap", "round"}});
  for (const std::size_t i : markers)
    svg.leaf_with_title(
        "circle",
        {{"class", "point"},
         {"cx", x(curve.x[i])},
         {"cy", y(curve.y[i])},
         {"r", curve.dots ? 3 : 5},
         {"data-x", exact_number(curve.x[i])},
         {"data-y", exact_number(curve.y[i])}},
        concat(shortened(curve.name, 16), ": ", tick_text(curve.x[i]), ", ", tick_text(curve.y[i])));
  svg.close();
}

void check_curves(std::span<const Curve> curves) {
  GSAN_CHECK(!curves.empty(), "line_chart: no curves to draw; give at least one");
  for (const Curve& curve : curves) {
    GSAN_CHECK(curve.x.size() == curve.y.size(), "line_chart: curve '", curve.name, "' has ", curve.x.size(),
               " values of x and ", curve.y.size(), " of y; they must have the same length");
    GSAN_CHECK(!curve.x.empty(), "line_chart: curve '", curve.name, "' has no points; leave it out");
  }
}

}  // namespace

std::string line_chart(std::span<const Curve> curves, const ChartOptions& options) {
  check_size("line_chart", options);
  check_curves(curves);
  Range over, along;
  std::size_t largest = 0;
  std::vector<LegendEntry> names;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const Curve& curve = curves[c];
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const Scale any_x({}, options.log_x, 0, 1), any_y({}, options.log_y, 0, 1);
      if (!any_x.places(curve.x[i]) || !any_y.places(curve.y[i])) continue;
      over.include(curve.x[i], options.log_x), along.include(curve.y[i], options.log_y);
    }
    largest = std::max(largest, curve.x.size());
    names.push_back({curve.name, color_of(curves, c), curve.dashed});
  }
  const Legend legend(std::move(names), options.width - 100);
  const PlotArea area =
      plot_area(options, legend.rows(), tick_width(Scale(along, options.log_y, options.height, 0)));
  const Scale x(over, options.log_x, area.left + 6, area.right - 6),
      y(along, options.log_y, area.bottom - 6, area.top + 6);
  Svg svg(options.width, area.paper_height, options.title.empty() ? "chart" : options.title);
  draw_frame(svg, options, area, &x, y);
  legend.draw(svg, area.left, (options.title.empty() ? 16 : 44));
  for (std::size_t c = 0; c < curves.size(); ++c) draw_curve(svg, curves[c], color_of(curves, c), x, y);
  if (over.is_empty)
    svg.text(
        "text",
        {{"class", "soft middle"}, {"x", (area.left + area.right) / 2}, {"y", (area.top + area.bottom) / 2}},
        "no finite values");
  if (largest > most_points)
    svg.text("text", {{"class", "soft small end"}, {"x", area.right}, {"y", 26}},
             concat("shows about ", most_points, " of ", largest, " points"));
  return std::move(svg).finish();
}

}  // namespace gsan
