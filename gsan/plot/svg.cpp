#include "gsan/plot/svg.h"

#include <array>
#include <charconv>
#include <cmath>

#include "gsan/plot/theme.h"

namespace gsan {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// Bytes of the well-formed UTF-8 character at the front (RFC 3629), 0 when there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && second < 0xA0) return 0;                      // overlong
    if (first == 0xED && second > 0x9F) return 0;                      // surrogates
    if (first == 0xEF && second == 0xBF && byte(2) >= 0xBE) return 0;  // not a character of XML
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && second < 0x90) return 0;
    return first == 0xF4 && second > 0x8F ? 0 : 4;
  }
  return 0;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return count;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const char c = text.front();
    const bool is_control = (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == '\x7f';
    if (length == 0 || is_control) {
      escaped += replacement;
    } else if (const std::string_view name = entity(c); !name.empty()) {
      escaped += name;
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return escaped;
}

std::string shortened(std::string_view text, std::size_t limit) {
  std::size_t characters = 0, at = 0;
  while (at < text.size() && characters < limit) {
    const std::size_t length = character_length(text.substr(at));
    at += length == 0 ? 1 : length;
    ++characters;
  }
  return std::string(text.substr(0, at)) + (at < text.size() ? "…" : "");
}

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
