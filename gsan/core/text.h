#pragma once
// Small work on text that several rooms share. Letters are those of ASCII; other bytes stay as they are.

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

namespace gsan {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Text without the blanks around it.
std::string_view trimmed(std::string_view text);

std::string lower_case(std::string_view text);

/// The first `count` characters of UTF-8 text, or all of it.
std::string_view first_characters(std::string_view text, int count);

/// text_of(item) of every item, as `operator<<` prints it, with the separator between them.
template <class Items, class TextOf>
std::string joined(const Items& items, std::string_view separator, const TextOf& text_of) {
  std::ostringstream text;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) text << separator;
    text << text_of(item);
    is_first = false;
  }
  return text.str();
}

/// The items themselves.
template <class Items>
std::string joined(const Items& items, std::string_view separator = ", ") {
  return joined(
      items, separator, [](const auto& item) -> const auto& { return item; });
}

/// A part of something that is not negative, in per cent with one decimal; 0 of nothing.
double percent_of(double part, double whole);

std::string show(double number);            ///< for people: six significant digits
std::string show_bytes(std::size_t bytes);  ///< for people: "1.5 MiB"

}  // namespace gsan
