#include "gsan/data/item_marks.h"

#include <charconv>
#include <chrono>
#include <cmath>

#include "gsan/core/text.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

// Cuts `digits` digits and the characters of `end`, of which one must follow, off the text; −1 where they are
// not there. An empty `end` asks for nothing after the digits.
int take_digits(std::string_view& text, std::size_t digits, std::string_view end) {
  int number = 0;
  const std::size_t size = digits + (end.empty() ? 0 : 1);
  if (text.size() < size) return -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + digits, number);
  if (error != std::errc() || stop != text.data() + digits || text.front() == '-') return -1;
  if (!end.empty() && end.find(text[digits]) == end.npos) return -1;
  text.remove_prefix(size);
  return number;
}

// Seconds of "Z", "+01:00", "-0330" or nothing.
std::optional<int> parse_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const int sign = text.front() == '+' ? 1 : text.front() == '-' ? -1 : 0;
  text.remove_prefix(1);
  const int hours = take_digits(text, 2, "");
  if (text.starts_with(':')) text.remove_prefix(1);
  const int minutes = text.empty() ? 0 : take_digits(text, 2, "");
  if (sign == 0 || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || !text.empty())
    return std::nullopt;
  return sign * (3600 * hours + 60 * minutes);
}

// Seconds of "13:05", "13:05:00", "13:05:00.25" with or without a zone.
std::optional<double> parse_clock(std::string_view text) {
  const std::size_t zone = text.find_first_of("Zz+-");
  const auto offset = parse_zone(zone == text.npos ? "" : text.substr(zone));
  text = text.substr(0, zone);
  const int hours = take_digits(text, 2, ":"), minutes = take_digits(text, 2, "");
  double seconds = 0;
  if (!text.empty()) {
    const bool is_plain =
        text.size() >= 3 && text[0] == ':' && text.find_first_not_of("0123456789.", 1) == text.npos;
    seconds = is_plain ? parse_number(text.substr(1)).value_or(-1) : -1;
  }
  if (!offset || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds >= 61)
    return std::nullopt;
  return 3600 * hours + 60 * minutes + seconds - *offset;
}

std::optional<double> parse_date(std::string_view text) {
  const std::string_view clock = text.size() > 10 ? text.substr(11) : "";
  if (text.size() == 11 || (text.size() > 11 && text[10] != 'T' && text[10] != 't' && text[10] != ' '))
    return std::nullopt;
  text = text.substr(0, 10);
  const int year = take_digits(text, 4, "-"), month = take_digits(text, 2, "-"),
            day = take_digits(text, 2, "");
  if (year < 0 || month < 0 || day < 0 || !text.empty()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  const auto seconds = clock.empty() ? std::optional<double>(0) : parse_clock(clock);
  if (!date.ok() || !seconds) return std::nullopt;
  return 86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + *seconds;
}

template <class Value>
std::vector<Value> placed(const std::vector<Value>& values, const std::vector<std::int64_t>& items,
                          std::int64_t count, Value otherwise) {
  if (values.empty()) return {};
  std::vector<Value> all(static_cast<std::size_t>(count), otherwise);
  for (std::size_t r = 0; r < items.size(); ++r) all[static_cast<std::size_t>(items[r])] = values[r];
  return all;
}

}  // namespace

std::optional<Part> parse_part(std::string_view text) {
  const std::string word = lower_case(text);
  if (word.empty()) return Part::none;
  if (word == "train") return Part::train;
  if (word == "validation" || word == "val" || word == "valid") return Part::validation;
  if (word == "test") return Part::test;
  return std::nullopt;
}

std::string unknown_part(std::string_view text) {
  return concat("a part must be train, validation (or val, valid), test or empty (in no part), got ",
                in_quotes(text));
}

std::optional<ItemTime> parse_time(std::string_view text) {
  if (const auto number = parse_number(text); number && std::isfinite(*number))
    return ItemTime{*number, false};
  if (const auto date = parse_date(text)) return ItemTime{*date, true};
  return std::nullopt;
}

ItemMarks ItemMarks::at(const std::vector<std::int64_t>& items, std::int64_t count) const {
  return {placed(parts, items, count, Part::none),
          placed(times, items, count, std::numeric_limits<double>::quiet_NaN()), are_dates,
          placed(groups, items, count, no_group), table};
}

}  // namespace gsan
