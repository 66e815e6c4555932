#pragma once
// Values on the simplices of one order, as a table of float64.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gsan {

struct Signal {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;      ///< [rows, columns], row by row; NaN: no value
  std::vector<std::string> names;  ///< of the columns; empty when they have none
  /// [rows, vertex_columns] labels, k + 1 a row, where the signal itself says which simplex
  /// a row belongs to; no columns when row r belongs to the r-th listed simplex.
  std::vector<std::string> simplices;
  std::size_t vertex_columns = 0;

  std::span<const double> row(std::size_t r) const { return {values.data() + r * columns, columns}; }
  std::span<double> row(std::size_t r) { return {values.data() + r * columns, columns}; }
};

enum class HeaderRow { automatic, present, absent };

struct SignalOptions {
  bool allow_missing = false;  ///< NaN, NA and empty fields mean "no value here" instead of an error
  HeaderRow header = HeaderRow::automatic;
  /// Columns of a CSV header (in lower case) that are not values, where there is another one.
  std::vector<std::string> skipped{};
  /// How many vertices the simplices have, where that is known: 1 and 2 then have more names of columns than
  /// v0, v1 (text/key_columns.h).
  std::size_t key_vertices = 0;
  /// The name of a column that may come before those, in lower case; its texts are the first labels of each
  /// row then.
  std::string lead{};
};

/// A table of one NaN per entry.
Signal missing_signal(std::size_t rows, std::size_t columns, std::vector<std::string> names = {});

/// Fault::format unless every value is finite (or NaN, where missing values are allowed);
/// names the row and the column, both counted from 0.
void check_values(const Signal& signal, const SignalOptions& options, std::string_view source);

/// " ('speed')" when column c has a name, else nothing.
std::string column_name(const Signal& signal, std::size_t c);

/// Reads CSV or NPY, whichever the first bytes say.
Signal read_signal(const std::string& path, const SignalOptions& options = {});
Signal parse_signal(std::string_view bytes, std::string_view source, const SignalOptions& options = {});

}  // namespace gsan
