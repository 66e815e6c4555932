#pragma once
// Pieces of a page. Texts go in as they are and come out escaped: nothing from a run is markup.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsan::report::html {

struct Cell {
  Cell(std::string says) : text(std::move(says)) {}
  Cell(const char* says) : text(says) {}
  Cell(std::string says, std::string on_hover) : text(std::move(says)), title(std::move(on_hover)) {}

  std::string text;
  std::string title{};  ///< shown on hover
  std::string badge{};  ///< a word beside the text, also its class
  std::string under{};  ///< a second line, smaller
};

struct Row {
  std::vector<Cell> cells{};
  bool is_own = false;    ///< the row that the table is about
  bool is_group = false;  ///< one cell, a heading of the rows below
};

/// The first column names the rows, the others are numbers unless `texts`. Wider tables scroll inside.
struct HtmlTable {
  std::vector<std::string> header{};
  std::vector<Row> rows{};
  bool texts = false;
};
std::string table(const HtmlTable& table);

std::string paragraph(std::string_view text, std::string_view css_class = {});
std::string heading(std::string_view text);  ///< inside a card
std::string list(std::span<const std::string> items);

/// Names with their values.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string facts(const Facts& facts);

/// A number with what it is; the first of `tiles` is the main one.
struct Tile {
  std::string number, says;
};
std::string tiles(std::span<const Tile> tiles);

/// Text to copy: the script adds the button.
std::string copyable(std::string_view text);
std::string folded(std::string_view summary, std::string_view text);

/// A picture of gsan/plot with a caption; its own style is left out, the page has it once. `axis` names x in
/// tooltips.
struct Figure {
  std::string svg, caption{}, axis{};
  bool is_wide = false;  ///< scrolls on a phone instead of shrinking
};
std::string figure(const Figure& figure);
std::string figures(std::span<const Figure> figures);  ///< side by side where there is room

}  // namespace gsan::report::html
