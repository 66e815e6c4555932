#pragma once
// Looks into SVG text: elements of a class and their attributes.

#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/check.h"

namespace gsan::test {

/// The opening tags whose class attribute holds the word.
inline std::vector<std::string> elements_of_class(std::string_view svg, std::string_view word) {
  std::vector<std::string> found;
  for (std::size_t at = svg.find('<'); at != std::string_view::npos; at = svg.find('<', at + 1)) {
    const std::string tag(svg.substr(at, svg.find('>', at) - at));
    const std::size_t begin = tag.find(" class=\"");
    if (begin == std::string::npos) continue;
    const std::size_t first = begin + 8;
    const std::string classes = " " + tag.substr(first, tag.find('"', first) - first) + " ";
    if (classes.find(" " + std::string(word) + " ") != std::string::npos) found.push_back(tag);
  }
  return found;
}

/// The value of an attribute, "-" where there is none.
inline std::string attribute_of(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return "-";
  const std::size_t first = at + name.size() + 3;
  return tag.substr(first, tag.find('"', first) - first);
}

inline double number_of(const std::string& tag, const std::string& name) {
  return std::stod(attribute_of(tag, name));
}

inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Every element that is opened is closed, in order.
inline bool is_balanced(std::string_view svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string_view::npos; at = svg.find('<', at + 1)) {
    const std::string tag(svg.substr(at + 1, svg.find('>', at) - at - 1));
    if (tag.empty()) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

/// The message of the error that `draw` throws; empty where it throws none.
template <class Draw>
std::string error_of(const Draw& draw) {
  try {
    draw();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace gsan::test
