#include "apps/gsan/console/table.h"

#include <algorithm>

namespace gsan::app {
namespace {

// Letters on the screen: bytes that do not continue a UTF-8 sequence.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  const auto is_number = [&](std::size_t c) {
    return rows_.size() > 1 && rows_[1][c].find_first_of("0123456789") <= 1;  // perhaps after a sign
  };
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width_of(row[c]), ' ');
      text += (c == 0 ? "" : "  ") + (is_number(c) ? padding + row[c] : row[c] + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace gsan::app
