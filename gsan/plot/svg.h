#pragma once
// SVG as text, element by element. The same calls give the same bytes, in every locale.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/markup.h"

namespace gsan {

std::string short_number(double value);  ///< a coordinate: two decimals at most, no trailing zeros
std::string exact_number(
    double value);  ///< data: the shortest decimal that reads back to the same bits; "nan"

/// One attribute of an element; its value is escaped. A number is written as a coordinate. One without a name
/// is left out.
struct Attribute {
  Attribute(std::string_view key, std::string_view text) : name(key), value(escape_markup(text)) {}
  Attribute(std::string_view key, const std::string& text) : Attribute(key, std::string_view(text)) {}
  Attribute(std::string_view key, const char* text) : Attribute(key, std::string_view(text)) {}
  Attribute(std::string_view key, double number) : name(key), value(short_number(number)) {}
  Attribute(std::string_view key, int number) : name(key), value(std::to_string(number)) {}

  std::string_view name;
  std::string value;
};

/// A picture that is being written.
///
///   Svg svg(640, 360, "Loss");
///   svg.open("g", {{"class", "curve"}}).leaf("circle", {{"cx", 1.5}, {"r", 2}}).close();
///   std::string text = std::move(svg).finish();
class Svg {
 public:
  using Attributes = std::initializer_list<Attribute>;

  /// `name` is what a screen reader says. The style of all pictures (theme.h) and a background come first.
  Svg(double width, double height, std::string_view name);

  Svg& open(std::string_view element, Attributes attributes = {});
  Svg& close();  ///< the innermost open element
  Svg& leaf(std::string_view element, Attributes attributes);
  /// An element with nothing but text in it: <text>, <title>.
  Svg& text(std::string_view element, Attributes attributes, std::string_view content);
  /// A leaf with a tooltip.
  Svg& leaf_with_title(std::string_view element, Attributes attributes, std::string_view title);

  /// Elements that another Svg has written.
  Svg& raw(std::string_view elements) {
    text_ += elements;
    return *this;
  }

  std::size_t bytes() const { return text_.size(); }
  std::string finish() &&;  ///< closes what is open

 private:
  void start(std::string_view element, Attributes attributes);
  std::string text_;
  std::vector<std::string> open_;
};

/// Width of a text in the pictures' font, roughly: enough to keep texts apart.
double text_width(std::string_view text, double font_size);

}  // namespace gsan
