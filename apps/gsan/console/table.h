#pragma once
// Text for people: aligned columns, no colours.

#include <string>
#include <vector>

#include "gsan/core/text.h"  // numbers in the cells: show, show_bytes

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

std::string csv_field(const std::string& text);  ///< in quotes where it must be

}  // namespace gsan::app
