#include "gsan/data/formats/text/lines.h"

#include <algorithm>
#include <functional>

namespace gsan {
namespace {

// The first CR outside of quotes that is followed by something else than LF. Fields in quotes may hold any.
std::size_t find_lone_return(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\r' && !quoted && i + 1 < text.size() && text[i + 1] != '\n') return i;
  }
  return std::string_view::npos;
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
  if (const std::size_t byte = find_invalid_utf8(bytes); byte != std::string_view::npos) {
    fail(Fault::format, source, ": byte ", byte, " (", in_quotes(bytes.substr(byte, 1)),
         ") is not UTF-8; convert the file: iconv -f latin1 -t utf8");
  }
  const std::size_t lone = find_lone_return(bytes);
  if (lone != std::string_view::npos) {
    fail(Fault::format, source, ": byte ", lone,
         " is a carriage return (CR) without a line feed (LF); end lines with LF or CR LF: tr '\\r' '\\n'");
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

}  // namespace gsan
