#include "gsan/plot/panels.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/plot/svg.h"

namespace gsan {
namespace {

// The number in ` name="…"` of the first element.
double number_of(std::string_view svg, std::string_view name) {
  const std::string_view first = svg.substr(0, svg.find('>'));
  const std::string opening = concat(" ", name, "=\"");
  const std::size_t at = first.find(opening);
  double value = 0;
  GSAN_CHECK(first.substr(0, 4) == "<svg" && at != std::string_view::npos &&
                 std::from_chars(first.data() + at + opening.size(), first.data() + first.size(), value).ec ==
                     std::errc(),
             "panels: a text that begins with '", shortened(first, 40), "' is not a picture of gsan");
  return value;
}

// What a picture has between its style and its end.
std::string_view content_of(std::string_view svg) {
  constexpr std::string_view style_end = "</style>\n", end = "</svg>\n";
  const std::size_t at = svg.find(style_end), last = svg.rfind(end);
  GSAN_CHECK(at != std::string_view::npos && last != std::string_view::npos,
             "panels: a picture has no style or no end; pass what the functions of gsan/plot return");
  return svg.substr(at + style_end.size(), last - at - style_end.size());
}

}  // namespace

PictureSize picture_size(std::string_view svg) { return {number_of(svg, "width"), number_of(svg, "height")}; }

std::string panels(std::span<const std::string> pictures, std::size_t columns, std::string_view title) {
  GSAN_CHECK(!pictures.empty() && columns > 0, "panels: ", pictures.size(), " pictures in ", columns,
             " columns; there must be at least one of each");
  columns = std::min(columns, pictures.size());
  const std::size_t rows = (pictures.size() + columns - 1) / columns;
  std::vector<double> lefts(columns + 1), tops(rows + 1);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const PictureSize size = picture_size(pictures[i]);
    lefts[i % columns + 1] = std::max(lefts[i % columns + 1], size.width);
    tops[i / columns + 1] = std::max(tops[i / columns + 1], size.height);
  }
  tops[0] = title.empty() ? 0 : 40;
  for (std::size_t c = 0; c < columns; ++c) lefts[c + 1] += lefts[c];
  for (std::size_t r = 0; r < rows; ++r) tops[r + 1] += tops[r];

  Svg svg(lefts.back(), tops.back(), title.empty() ? "pictures" : title);
  if (!title.empty()) svg.text("text", {{"class", "title"}, {"x", 16}, {"y", 27}}, shortened(title, 120));
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const PictureSize size = picture_size(pictures[i]);
    svg.open("svg", {{"class", "gsan-picture"},
                     {"x", lefts[i % columns]},
                     {"y", tops[i / columns]},
                     {"width", size.width},
                     {"height", size.height},
                     {"viewBox", concat("0 0 ", short_number(size.width), " ", short_number(size.height))}});
    svg.raw(content_of(pictures[i])).close();
  }
  return std::move(svg).finish();
}

}  // namespace gsan
