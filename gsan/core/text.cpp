#include "gsan/core/text.h"

#include <array>
#include <cmath>

namespace gsan {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view first_characters(std::string_view text, int count) {
  std::size_t end = 0;
  for (int seen = 0; end < text.size(); ++end)  // a byte 10xxxxxx continues a character
    if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && ++seen > count) break;
  return text.substr(0, end);
}

double percent_of(double part, double whole) { return whole > 0 ? std::round(1000 * part / whole) / 10 : 0; }

std::string show(double number) {
  std::ostringstream text;
  text.precision(6);
  text << number;
  return text.str();
}

std::string show_bytes(std::size_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  double amount = static_cast<double>(bytes);
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  std::ostringstream text;
  text.precision(amount < 1000 ? 3 : 4);
  text << amount << ' ' << units[unit];
  return text.str();
}

}  // namespace gsan
