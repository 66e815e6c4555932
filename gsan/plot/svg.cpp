#include "gsan/plot/svg.h"

#include <array>
#include <charconv>
#include <cmath>

#include "gsan/plot/theme.h"

namespace gsan {
namespace {

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return count;
}

}  // namespace

std::string short_number(double value) {
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 2);
  if (end.ec != std::errc()) return exact_number(value);
  std::string text(buffer.data(), end.ptr);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string exact_number(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

double text_width(std::string_view text, double font_size) {
  return 0.58 * font_size * static_cast<double>(character_count(text));
}

Svg::Svg(double width, double height, std::string_view name) {
  const std::string box = short_number(width) + " " + short_number(height);
  open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
               {"class", "gsan-picture"},
               {"viewBox", "0 0 " + box},
               {"width", width},
               {"height", height},
               {"role", "img"},
               {"aria-label", name}});
  text_ += "<style>" + std::string(picture_style()) + "</style>\n";
  leaf("rect", {{"class", "paper"}, {"width", width}, {"height", height}});
}

void Svg::start(std::string_view element, Attributes attributes) {
  text_ += '<';
  text_ += element;
  for (const Attribute& attribute : attributes) {
    if (attribute.name.empty()) continue;
    text_ += ' ';
    text_ += attribute.name;
    text_ += "=\"";
    text_ += attribute.value;
    text_ += '"';
  }
}

Svg& Svg::open(std::string_view element, Attributes attributes) {
  start(element, attributes);
  text_ += ">\n";
  open_.emplace_back(element);
  return *this;
}

Svg& Svg::close() {
  text_ += "</" + open_.back() + ">\n";
  open_.pop_back();
  return *this;
}

Svg& Svg::leaf(std::string_view element, Attributes attributes) {
  start(element, attributes);
  text_ += "/>\n";
  return *this;
}

Svg& Svg::text(std::string_view element, Attributes attributes, std::string_view content) {
  start(element, attributes);
  text_ += '>' + escape_markup(content) + "</" + std::string(element) + ">\n";
  return *this;
}

Svg& Svg::leaf_with_title(std::string_view element, Attributes attributes, std::string_view title) {
  start(element, attributes);
  text_ += "><title>" + escape_markup(title) + "</title></" + std::string(element) + ">\n";
  return *this;
}

std::string Svg::finish() && {
  while (!open_.empty()) close();
  return std::move(text_);
}

}  // namespace gsan
