#include "gsan/data/formats/text/table.h"

#include "gsan/data/formats/text/number.h"

namespace gsan {

char table_delimiter(std::string_view text) {
  const char found = detect_delimiter(text, '\0');
  if (found != '\0') return found;
  Lines lines(without_mark(text), "");
  while (lines.next()) {
    std::string_view rest = trimmed(lines.line());
    if (rest.empty() || rest.front() == '#') continue;
    while (!rest.empty()) {
      if (!spells_number(next_word(rest))) return ',';
    }
    return ' ';
  }
  return ',';
}

bool has_header(const std::vector<CsvField>& first, HeaderRow header) {
  if (header != HeaderRow::automatic) return header == HeaderRow::present;
  bool any_text = false;
  for (const CsvField& field : first) {
    if (spells_number(field.text)) return false;
    any_text |= !spells_missing(field.text);
  }
  return any_text;
}

}  // namespace gsan
