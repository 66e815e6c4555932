#include "gsan/data/formats/text/csv.h"

#include <algorithm>

#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

// A tab that delimits is not blank: a line of tabs alone is a record of empty fields.
bool is_skipped(std::string_view line, std::string_view comments, char delimiter) {
  while (!line.empty() && is_blank(line.front()) && line.front() != delimiter) line.remove_prefix(1);
  return line.empty() || comments.find(line.front()) != std::string_view::npos;
}

// "4 2" alone in its line would read back as two numbers between blanks (table_delimiter).
bool is_row_of_numbers(std::string_view field) {
  if (field.find(' ') == std::string_view::npos) return false;
  while (!field.empty())
    if (!spells_number(next_word(field))) return false;
  return true;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string_view source, char delimiter,
                     std::string_view comments)
    : source_(source), comments_(comments), delimiter_(delimiter) {
  text = checked_text(text, source);
  at_ = line_start_ = text.data();
  end_ = at_ + text.size();
}

void CsvReader::check_fields(std::size_t count) const {
  if (fields_.size() != count) {
    fail_at(fields_.front(), "every record must have ", count, " fields like the first, this one has ",
            fields_.size());
  }
}

bool CsvReader::at_end_of_line() const {
  return at_ == end_ || *at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n'));
}

void CsvReader::end_line() {
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_) ++at_;
  line_start_ = at_;
  ++line_;
}

void CsvReader::skip_blanks() {
  while (at_ != end_ && is_blank(*at_) && (*at_ != delimiter_ || delimiter_ == ' ')) ++at_;
}

bool CsvReader::skip_blank_lines() {
  while (at_ != end_) {
    const char* stop = std::find(at_, end_, '\n');
    std::string_view line(at_, static_cast<std::size_t>(stop - at_));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!is_skipped(line, comments_, delimiter_ == ' ' ? '\0' : delimiter_)) return true;
    at_ = stop;
    end_line();
  }
  return false;
}

bool CsvReader::next() {
  fields_.clear();
  unescaped_.clear();
  if (!skip_blank_lines()) return false;
  while (next_field()) {
  }
  end_line();
  return true;
}

bool CsvReader::next_field() {
  skip_blanks();
  CsvField field{{}, false, line_, column()};
  if (at_ != end_ && *at_ == '"') {
    quoted_field(field);
    skip_blanks();
    const bool separated = delimiter_ == ' ' && at_ != end_ && is_blank(at_[-1]);
    if (!at_end_of_line() && *at_ != delimiter_ && !separated) {
      gsan::fail_at(source_, line_, column(),
                    "text after the closing quote of a field; double a quote inside a field");
    }
  } else {
    const char* from = at_;
    while (!at_end_of_line() && *at_ != delimiter_ && !(delimiter_ == ' ' && is_blank(*at_))) {
      if (*at_ == '"') {
        gsan::fail_at(source_, line_, column(),
                      "a quote inside an unquoted field; put the field in quotes and double it");
      }
      ++at_;
    }
    field.text = trimmed({from, static_cast<std::size_t>(at_ - from)});
  }
  fields_.push_back(field);
  if (delimiter_ == ' ') {
    skip_blanks();
    return !at_end_of_line();
  }
  if (at_end_of_line()) return false;
  ++at_;  // the delimiter
  return true;
}

void CsvReader::quoted_field(CsvField& field) {
  field.quoted = true;
  ++at_;
  const char* from = at_;
  std::string* copy = nullptr;
  for (;; ++at_) {
    if (at_ == end_) {
      gsan::fail_at(source_, field.line, field.column, "the quote that opens here is never closed");
    }
    if (*at_ == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    if (*at_ != '"') continue;
    if (at_ + 1 == end_ || at_[1] != '"') break;
    if (!copy) copy = &unescaped_.emplace_back();
    copy->append(from, at_ + 1);  // with one of the two quotes
    from = ++at_ + 1;
  }
  field.text = {from, static_cast<std::size_t>(at_ - from)};
  if (copy) field.text = copy->append(field.text);
  ++at_;
}

char detect_delimiter(std::string_view text, char otherwise, std::string_view comments) {
  Lines lines(without_mark(text), "");
  while (lines.next()) {
    if (is_skipped(lines.line(), comments, '\0')) continue;
    for (const char candidate : {'\t', ',', ';'}) {
      bool inside = false;
      for (const char c : trimmed(lines.line())) {
        inside ^= c == '"';
        if (c == candidate && !inside) return candidate;
      }
    }
    break;
  }
  return otherwise;
}

void append_csv_field(std::string& text, std::string_view field) {
  GSAN_CHECK(field.find('\0') == std::string_view::npos, "a CSV field cannot hold a zero byte, got ",
             in_quotes(field));
  const bool plain = !field.empty() && field.find_first_of(",;\"\r\n\t") == std::string_view::npos &&
                     trimmed(field) == field && field.front() != '#' && field.front() != '%' &&
                     without_mark(field) == field && !is_row_of_numbers(field);
  if (plain) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

}  // namespace gsan
