#include "gsan/core/quoted.h"

#include <algorithm>

namespace gsan {
namespace {

unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

// The smallest second byte after `first`; smaller ones would be a longer form of a shorter character.
unsigned char least_second(unsigned char first) { return first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80; }
// The largest one: beyond are the surrogates of UTF-16, and U+110000.
unsigned char most_second(unsigned char first) { return first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf; }

// What a terminal obeys instead of showing it: C0, delete, and C1 (U+0080 to U+009F).
bool is_control(std::string_view character) {
  const unsigned char first = byte_of(character[0]);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && byte_of(character[1]) < 0xa0);
}

void append_escaped(std::string& safe, std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  for (const char c : bytes) safe += {'\\', 'x', digits[byte_of(c) >> 4], digits[byte_of(c) & 15]};
}

// Appends the first character of `text`, or its first byte where it is not UTF-8; returns how many bytes that
// was.
std::size_t append_first(std::string& safe, std::string_view text, bool keep_breaks) {
  const std::size_t length = utf8_length(text);
  const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
  const bool is_kept = length > 0 && (!is_control(character) || (keep_breaks && character == "\n"));
  if (is_kept) {
    safe += character;
  } else {
    append_escaped(safe, character);
  }
  return character.size();
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const unsigned char first = byte_of(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  if (byte_of(text[1]) < least_second(first) || byte_of(text[1]) > most_second(first)) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte_of(text[i]) & 0xc0) != 0x80) return 0;
  return length;
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (std::size_t at = 0; at < text.size();) at += append_first(safe, text.substr(at), true);
  return safe;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string safe = "'";
  std::size_t at = 0;
  while (at < text.size() && at < longest) at += append_first(safe, text.substr(at), false);
  return safe + (at < text.size() ? "…'" : "'");
}

}  // namespace gsan
