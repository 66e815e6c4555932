#include "gsan/core/markup.h"

#include <algorithm>
#include <vector>

#include "gsan/core/check.h"

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

// Where each character begins; a byte that is none counts as one.
std::vector<std::size_t> character_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    at += std::max<std::size_t>(character_length(text.substr(at)), 1);
  }
  return starts;
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
  const std::vector<std::size_t> starts = character_starts(text);
  if (starts.size() <= limit) return std::string(text);
  return std::string(text.substr(0, starts[limit])) + "…";
}

std::string shortened_inside(std::string_view text, std::size_t limit) {
  const std::vector<std::size_t> starts = character_starts(text);
  if (starts.size() <= limit || limit < 2) return shortened(text, limit);
  const std::size_t end = (limit - 1) / 2, begin = limit - 1 - end;
  return concat(text.substr(0, starts[begin]), "…", text.substr(starts[starts.size() - end]));
}

}  // namespace gsan
