#include "gsan/data/formats/text/lines.h"

#include <algorithm>
#include <functional>

namespace gsan {
namespace {

// Bytes of the UTF-8 character that the text begins with; 0 where it is a control
// character or no UTF-8.
std::size_t printable_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::string_view checked_text(std::string_view bytes, std::string_view source) {
  const std::size_t zero = bytes.find('\0');
  if (zero != std::string_view::npos) {
    fail(Fault::format, source, ": byte ", zero,
         " is zero, so this is not a text file; pass UTF-8 text, or name the binary format");
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

std::string_view next_word(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  constexpr char digits[] = "0123456789abcdef";
  std::string safe = "'";
  std::size_t at = 0;
  while (at < text.size() && at < longest) {
    const std::size_t length = printable_length(text.substr(at));
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text[at]);
      safe += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
    safe += text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return safe + (at < text.size() ? "…'" : "'");
}

}  // namespace gsan
