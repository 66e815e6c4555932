#pragma once
// The printed numbers of the paper (experiments/paper_tables.json, part of the command) beside measured ones.

#include <optional>
#include <string>

#include "gsan/train/run_settings.h"

namespace gsan::app {

struct PaperFigure {
  std::string row, column;  ///< as printed: "GSAN", "ocean_drifters"
  double mean = 0, deviation = 0;
  bool is_misprint = false;  ///< the cell repeats another one ("misprints" of the table)
};

/// The cell of the table that these settings belong to; nothing where the paper has none.
std::optional<PaperFigure> paper_figure(const RunSettings& settings);

}  // namespace gsan::app
