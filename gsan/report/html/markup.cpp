#include "gsan/report/html/markup.h"

#include "gsan/core/check.h"
#include "gsan/core/markup.h"

namespace gsan::report::html {
namespace {

std::string class_attribute(std::string_view name) {
  return name.empty() ? "" : concat(" class=\"", name, "\"");
}

std::string cell(const Cell& cell, std::string_view element, bool is_number) {
  std::string text = concat("<", element, element == "th" ? " scope=\"row\"" : "",
                            class_attribute(is_number ? "number" : ""));
  if (!cell.title.empty()) text += concat(" title=\"", escape_markup(cell.title), "\"");
  text += concat(">", escape_markup(cell.text));
  if (!cell.badge.empty())
    text += concat(" <span class=\"badge ", escape_markup(cell.badge), "\">", escape_markup(cell.badge),
                   "</span>");
  if (!cell.under.empty()) text += concat("<small>", escape_markup(cell.under), "</small>");
  return concat(text, "</", element, ">");
}

std::string row(const Row& row, std::size_t columns, bool texts) {
  if (row.is_group)
    return concat("<tr class=\"group\"><th scope=\"colgroup\" colspan=\"", columns, "\">",
                  escape_markup(row.cells.front().text), "</th></tr>\n");
  std::string text = row.is_own ? "<tr class=\"own\">" : "<tr>";
  for (std::size_t c = 0; c < row.cells.size(); ++c)
    text += cell(row.cells[c], c == 0 ? "th" : "td", c > 0 && !texts);
  return text + "</tr>\n";
}

// Every picture brings the same style block; the page has its rules already.
std::string without_style(const std::string& svg) {
  const std::size_t begin = svg.find("<style>"), end = svg.find("</style>");
  if (begin == svg.npos || end == svg.npos) return svg;
  std::string bare = svg;
  return bare.erase(begin, end + std::string_view("</style>").size() - begin);
}

}  // namespace

std::string table(const HtmlTable& table) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table>\n";
  if (!table.header.empty()) {
    text += "<thead><tr>";
    for (std::size_t c = 0; c < table.header.size(); ++c)
      text += concat("<th scope=\"col\"", class_attribute(c > 0 && !table.texts ? "number" : ""), ">",
                     escape_markup(table.header[c]), "</th>");
    text += "</tr></thead>\n";
  }
  text += "<tbody>\n";
  for (const Row& one : table.rows) text += row(one, table.header.size(), table.texts);
  return text + "</tbody></table></div>\n";
}

std::string paragraph(std::string_view text, std::string_view css_class) {
  return concat("<p", class_attribute(css_class), ">", escape_markup(text), "</p>\n");
}

std::string heading(std::string_view text) { return concat("<h4>", escape_markup(text), "</h4>\n"); }

std::string list(std::span<const std::string> items) {
  std::string text = "<ul>\n";
  for (const std::string& item : items) text += concat("<li>", escape_markup(item), "</li>\n");
  return text + "</ul>\n";
}

std::string facts(const Facts& facts) {
  std::string text = "<dl>\n";
  for (const auto& [name, value] : facts)
    text += concat("<dt>", escape_markup(name), "</dt><dd>", escape_markup(value), "</dd>\n");
  return text + "</dl>\n";
}

std::string tiles(std::span<const Tile> tiles) {
  std::string text = "<div class=\"tiles\">\n";
  for (std::size_t i = 0; i < tiles.size(); ++i)
    text += concat("<div class=\"tile", i == 0 ? " main" : "", "\"><b>", escape_markup(tiles[i].number),
                   "</b><span>", escape_markup(tiles[i].says), "</span></div>\n");
  return text + "</div>\n";
}

std::string copyable(std::string_view text) {
  return concat("<div class=\"copy\"><pre>", escape_markup(text), "</pre></div>\n");
}

std::string folded(std::string_view summary, std::string_view text) {
  return concat("<details><summary>", escape_markup(summary), "</summary>\n", copyable(text), "</details>\n");
}

std::string figure(const Figure& figure) {
  std::string text = concat("<figure", class_attribute(figure.is_wide ? "wide" : ""));
  if (!figure.axis.empty()) text += concat(" data-axis=\"", escape_markup(figure.axis), "\"");
  text += concat(">", without_style(figure.svg));
  if (!figure.caption.empty()) text += concat("<figcaption>", escape_markup(figure.caption), "</figcaption>");
  return text + "</figure>\n";
}

std::string figures(std::span<const Figure> figures) {
  std::string text = "<div class=\"pair\">\n";
  for (const Figure& one : figures) text += figure(one);
  return text + "</div>\n";
}

}  // namespace gsan::report::html
