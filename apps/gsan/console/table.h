#pragma once
// Text for people: aligned columns, numbers of six digits, no colours.

#include <cstddef>
#include <string>
#include <vector>

namespace gsan::app {

/// Rows of texts under a header, columns two blanks apart; a column of numbers (by its second row) stands to
/// the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string show(double number);                 ///< six significant digits
std::string csv_field(const std::string& text);  ///< in quotes where it must be
std::string show_bytes(std::size_t bytes);       ///< "1.5 MiB"

}  // namespace gsan::app
