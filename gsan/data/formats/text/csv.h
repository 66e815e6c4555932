#pragma once
// Delimited text (RFC 4180: fields in double quotes may hold delimiters, line breaks and,
// doubled, quotes). Blank lines and lines that begin with a comment character are
// skipped; blanks around an unquoted field do not belong to it.

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/text/lines.h"

namespace gsan {

struct CsvField {
  std::string_view text;  ///< valid until the next record
  bool quoted = false;
  std::size_t line = 0;  ///< where it begins
  std::size_t column = 0;
};

class CsvReader {
 public:
  /// `delimiter` ' ' means runs of blanks.
  CsvReader(std::string_view text, std::string_view source, char delimiter, std::string_view comments = "#");

  bool next();  ///< moves to the next record; false at the end
  const std::vector<CsvField>& fields() const { return fields_; }
  std::string_view source() const { return source_; }

  template <class... Parts>
  [[noreturn]] void fail_at(const CsvField& field, const Parts&... parts) const {
    gsan::fail_at(source_, field.line, field.column, parts...);
  }
  /// Fails unless this record has `count` fields.
  void check_fields(std::size_t count) const;

 private:
  bool skip_blank_lines();
  bool next_field();  // false after the last of the record
  void skip_blanks();
  void quoted_field(CsvField& field);
  bool at_end_of_line() const;
  void end_line();
  std::size_t column() const { return static_cast<std::size_t>(at_ - line_start_) + 1; }

  const char* at_;
  const char* end_;
  const char* line_start_;
  std::size_t line_ = 1;
  std::string_view source_, comments_;
  char delimiter_;
  std::vector<CsvField> fields_;
  std::deque<std::string> unescaped_;  // fields of this record that held doubled quotes
};

/// The delimiter of the first record: the first of tab, comma, semicolon that it holds
/// outside of quotes; else `otherwise`.
char detect_delimiter(std::string_view text, char otherwise, std::string_view comments = "#");

/// Appends a field, in quotes where it would not read back otherwise. A zero byte is an error.
void append_csv_field(std::string& text, std::string_view field);

}  // namespace gsan
