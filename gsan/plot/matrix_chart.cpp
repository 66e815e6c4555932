#include "gsan/plot/matrix_chart.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/check.h"
#include "gsan/plot/axes.h"
#include "gsan/plot/theme.h"

namespace gsan {
namespace {

constexpr std::size_t longest_label = 18;

double widest(std::span<const std::string> labels) {
  double width = 0;
  for (const std::string& label : labels)
    width = std::max(width, text_width(shortened(label, longest_label), 11));
  return width;
}

struct Cells {
  double left = 0, top = 0, width = 0, height = 0;
  bool has_slanted_labels = false;
};

Cells place_cells(std::span<const std::string> rows, std::span<const std::string> columns,
                  const ChartOptions& options) {
  Cells cells;
  cells.left = 16 + widest(rows) + 10 + (options.y_label.empty() ? 0 : 20);
  const double room = options.width - 20 - cells.left;
  cells.width = std::min(64.0, room / static_cast<double>(columns.size()));
  cells.height = std::min(cells.width, 40.0);
  cells.has_slanted_labels = widest(columns) + 6 > cells.width;
  cells.top = (options.title.empty() ? 16 : 42) + (options.x_label.empty() ? 0 : 18) +
              (cells.has_slanted_labels ? std::min(0.75 * widest(columns), 110.0) + 14 : 18);
  return cells;
}

void draw_labels(Svg& svg, const Cells& cells, std::span<const std::string> rows,
                 std::span<const std::string> columns, const ChartOptions& options) {
  const double height = cells.height * static_cast<double>(rows.size());
  if (!options.title.empty())
    svg.text("text", {{"class", "title"}, {"x", 16}, {"y", 26}}, shortened(options.title, 80));
  if (!options.x_label.empty())
    svg.text("text", {{"class", "soft"}, {"x", cells.left}, {"y", options.title.empty() ? 18 : 46}},
             shortened(options.x_label, 80));
  if (!options.y_label.empty())
    svg.text("text",
             {{"class", "soft middle"},
              {"transform", concat("translate(20 ", short_number(cells.top + height / 2), ") rotate(-90)")}},
             shortened(options.y_label, 40));
  const std::size_t row_step = cells.height < 12 ? static_cast<std::size_t>(std::ceil(12 / cells.height)) : 1;
  for (std::size_t r = 0; r < rows.size(); r += row_step)
    svg.text("text",
             {{"class", "small end"},
              {"x", cells.left - 8},
              {"y", cells.top + (static_cast<double>(r) + 0.5) * cells.height + 4}},
             shortened(rows[r], longest_label));
  const std::size_t step = cells.width < 14 ? static_cast<std::size_t>(std::ceil(14 / cells.width)) : 1;
  for (std::size_t c = 0; c < columns.size(); c += step) {
    const double x = cells.left + (static_cast<double>(c) + 0.5) * cells.width;
    const std::string place = concat("translate(", short_number(x), " ", short_number(cells.top - 7), ")",
                                     cells.has_slanted_labels ? " rotate(-45)" : "");
    svg.text("text", {{"class", cells.has_slanted_labels ? "small" : "small middle"}, {"transform", place}},
             shortened(columns[c], longest_label));
  }
}

}  // namespace

std::string matrix_chart(std::span<const std::string> rows, std::span<const std::string> columns,
                         std::span<const double> values, const ChartOptions& options) {
  check_size("matrix_chart", options);
  GSAN_CHECK(!rows.empty() && !columns.empty(), "matrix_chart: ", rows.size(), " rows and ", columns.size(),
             " columns; there must be at least one of each");
  GSAN_CHECK(rows.size() <= 200 && columns.size() <= 200, "matrix_chart: ", rows.size(), " x ",
             columns.size(), " cells cannot be read; at most 200 rows and 200 columns are drawn");
  GSAN_CHECK(values.size() == rows.size() * columns.size(), "matrix_chart: ", rows.size(), " rows and ",
             columns.size(), " columns need ", rows.size() * columns.size(), " values, got ", values.size());
  Range range;
  for (const double value : values) range.include(value);
  range.low = std::min(range.low, 0.0);
  const Cells cells = place_cells(rows, columns, options);
  const double height = cells.top + cells.height * static_cast<double>(rows.size()) + 16;
  Svg svg(options.width, height, options.title.empty() ? "matrix" : options.title);
  draw_labels(svg, cells, rows, columns, options);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t r = i / columns.size(), c = i % columns.size();
    const double x = cells.left + static_cast<double>(c) * cells.width,
                 y = cells.top + static_cast<double>(r) * cells.height;
    const bool has_value = std::isfinite(values[i]);
    const double t = range.high > range.low ? (values[i] - range.low) / (range.high - range.low) : 0;
    // One hue whose strength is the value: it fades into the paper of either mode.
    svg.leaf_with_title("rect",
                        {{"class", has_value ? "cell s0" : "cell missing"},
                         {"x", x},
                         {"y", y},
                         {"width", cells.width},
                         {"height", cells.height},
                         {"fill", has_value ? "currentColor" : "none"},
                         {"fill-opacity", has_value ? 0.06 + 0.84 * t : 0},
                         {"stroke", "currentColor"},
                         {"stroke-opacity", 0.35},
                         {"data-row", rows[r]},
                         {"data-column", columns[c]},
                         {"data-value", exact_number(values[i])}},
                        concat(shortened(rows[r], 60), ", ", shortened(columns[c], 60), ": ",
                               has_value ? tick_text(values[i]) : "no value"));
    const std::string number = has_value ? tick_text(values[i]) : "";
    if (cells.height >= 14 && text_width(number, 12) + 4 <= cells.width && has_value)
      svg.text("text",
               {{"class", t > 0.55 ? "middle on-color" : "middle"},
                {"x", x + cells.width / 2},
                {"y", y + cells.height / 2 + 4},
                {"pointer-events", "none"}},
               number);
  }
  return std::move(svg).finish();
}

}  // namespace gsan
