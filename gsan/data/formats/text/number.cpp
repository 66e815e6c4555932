#include "gsan/data/formats/text/number.h"

#include <charconv>
#include <cmath>

#include "gsan/core/text.h"

namespace gsan {
namespace {

// Sets `value` where the whole text is a number in range; the error of from_chars.
template <class T>
std::errc parse(std::string_view text, T& value) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::errc::invalid_argument;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  if (parse(text, value) != std::errc{}) return std::nullopt;
  return value;
}

template <class T>
void append(std::string& text, T value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, result.ptr);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) { return parse<double>(text); }

bool spells_number(std::string_view text) {
  double value = 0;
  return parse(text, value) != std::errc::invalid_argument;
}

bool spells_missing(std::string_view text) {
  if (text.empty()) return true;
  const std::string word = text.size() <= 3 ? lower_case(text) : "";
  if (word == "na" || word == "n/a") return true;
  const auto number = parse_number(text);
  return number && std::isnan(*number);
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse<std::int64_t>(text); }

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";
  } else {
    append(text, value);
  }
}

void append_number(std::string& text, std::int64_t value) { append(text, value); }

}  // namespace gsan
