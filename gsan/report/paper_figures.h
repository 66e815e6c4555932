#pragma once
// The printed numbers of the paper (experiments/paper_tables.json, part of the command) beside measured ones.

#include <optional>
#include <string>

#include "gsan/train/run_settings.h"

namespace gsan::report {

struct PaperFigure {
  std::string row{}, column{};  ///< as printed: "GSAN", "ocean_drifters"
  double mean = 0, deviation = 0;
  bool is_misprint = false;  ///< the cell repeats another one ("misprints" of the table)
};

/// The cell of the table that these settings belong to; nothing where the paper has none.
std::optional<PaperFigure> paper_figure(const RunSettings& settings);

/// A cell by its place: `rows` is the JSON pointer of a list of rows ("/trajectory/rows",
/// "/imputation/rows_by_missing_percent/10"); `column` as printed, empty where a row is one number. Nothing
/// where the paper left the cell empty; a row that it does not have is an error.
std::optional<PaperFigure> printed_cell(const std::string& rows, const std::string& row,
                                        const std::string& column);

}  // namespace gsan::report
