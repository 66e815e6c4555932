#include "gsan/plot/legend.h"

#include "gsan/core/check.h"

namespace gsan {

Legend::Legend(std::vector<LegendEntry> entries, double width) {
  if (entries.size() < 2) return;
  constexpr std::size_t most = 12;
  if (entries.size() > most) {
    const std::size_t more = entries.size() - most + 1;
    entries.resize(most);
    entries.back() = {concat("and ", more, " more"), "", false};
  }
  rows_ = 1;
  double x = 0;
  for (LegendEntry& entry : entries) {
    entry.name = shortened(entry.name, 40);
    const double needed = 30 + text_width(entry.name, 12) + 16;
    if (x > 0 && x + needed > width) x = 0, ++rows_;
    placed_.push_back({std::move(entry), x, rows_ - 1});
    x += needed;
  }
}

void Legend::draw(Svg& svg, double left, double top) const {
  for (const auto& [entry, x, row] : placed_) {
    const double at = left + x, y = top + 18.0 * row;
    svg.open("g", {{"class", "legend " + entry.color_class}});
    if (!entry.color_class.empty())
      svg.leaf("path", {{"d", concat("M", short_number(at), " ", short_number(y - 4), "h22")},
                        {"stroke", "currentColor"},
                        {"stroke-width", 2.5},
                        {"stroke-dasharray", entry.dashed ? "5 4" : "none"}});
    svg.text("text", {{"x", entry.color_class.empty() ? at : at + 28}, {"y", y}}, entry.name);
    svg.close();
  }
}

}  // namespace gsan
