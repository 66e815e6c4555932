#include "gsan/data/formats/lines.h"

#include <algorithm>
#include <functional>

namespace gsan {

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::string_view checked_text(std::string_view bytes, std::string_view source) {
  const std::size_t zero = bytes.find('\0');
  if (zero != std::string_view::npos) {
    fail(Fault::format, source, ": byte ", zero,
         " is zero, so this is no text file; pass UTF-8 text, or name the binary format");
  }
  return without_mark(bytes);
}

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

std::size_t Lines::column(std::string_view part) const {
  const std::less_equal<> before;  // a total order, also of pointers into different texts
  const char* begin = line_.data();
  const bool inside = before(begin, part.data()) && before(part.data(), begin + line_.size());
  return inside ? static_cast<std::size_t>(part.data() - begin) + 1 : 1;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view next_word(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  constexpr char digits[] = "0123456789abcdef";
  std::string safe = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      safe += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      safe += c;
    }
  }
  return safe + (text.size() > longest ? "…'" : "'");
}

}  // namespace gsan
