#pragma once
// A text file line by line, without copies, and errors that say where in it.

#include <cstddef>
#include <string>
#include <string_view>

#include "gsan/core/check.h"
#include "gsan/core/quoted.h"
#include "gsan/core/text.h"

namespace gsan {

/// Throws Fault::format as "source:line:column: …" (both count from 1, columns in bytes).
template <class... Parts>
[[noreturn]] void fail_at(std::string_view source, std::size_t line, std::size_t column,
                          const Parts&... parts) {
  fail(Fault::format, source, ":", line, ":", column, ": ", parts...);
}

/// The text without a leading UTF-8 byte order mark.
std::string_view without_mark(std::string_view text);

/// The same, checked: UTF-8 without zero bytes (the file is binary, or UTF-16) whose lines end in "\n" or
/// "\r\n".
std::string_view checked_text(std::string_view bytes, std::string_view source);

/// The lines of a text without their ends ("\n" or "\r\n"; the last one may have none).
class Lines {
 public:
  /// `before`: how many lines of the source come before the text.
  Lines(std::string_view text, std::string_view source, std::size_t before = 0)
      : rest_(text), source_(source), number_(before) {}

  bool next();  ///< moves to the next line; false at the end of the text
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }   ///< of line(), from 1
  std::string_view rest() const { return rest_; }  ///< the bytes after line()
  std::string_view source() const { return source_; }

  /// Fails at `part`, a piece of line() (at column 1 when it is not one).
  template <class... Parts>
  [[noreturn]] void fail_at(std::string_view part, const Parts&... parts) const {
    gsan::fail_at(source_, number_, column(part), parts...);
  }

 private:
  std::size_t column(std::string_view part) const;

  std::string_view rest_, line_, source_;
  std::size_t number_;
};

/// Cuts the first blank-separated word off `rest`; an empty word at the end, which still
/// points to where `rest` ended.
std::string_view next_word(std::string_view& rest);

}  // namespace gsan
