#pragma once
// Measured tables for people: rows of texts, Markdown, CSV.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gsan/report/tables.h"

namespace gsan::report {

/// Rows of texts under a caption, the header first. The paper's own rows, other settings and models, and
/// rules stand apart: a variant never counts as the paper's row. A caption is empty where there is one group.
struct ShownTable {
  std::string caption{};
  std::vector<std::vector<std::string>> rows{};
};

/// Rows that stand together, with their blocks (empty where the table has one); they point into the table.
struct RowGroup {
  std::string caption{};  ///< empty where there is one group
  bool with_printed = false;
  std::vector<std::pair<std::string, const MeasuredRow*>> rows{};
};

/// `only_measured` leaves out rows of which nothing is measured.
std::vector<RowGroup> row_groups(const MeasuredTable& table, bool only_measured);

std::string row_name(const MeasuredRow& row);  ///< with "(quoted)" where nothing of it runs here

/// `only_measured` leaves out rows of which nothing is measured. Printed numbers stand beside those of the
/// published protocol alone.
std::vector<ShownTable> shown_tables(const MeasuredTable& table, const std::string& plus_minus,
                                     bool only_measured);

/// What must be known to read the table.
std::vector<std::string> notes_of(const MeasuredTable& table);

/// One table with its notes, under no heading.
std::string table_markdown(const MeasuredTable& table, bool only_measured);
std::string tables_markdown(const std::vector<MeasuredTable>& tables);
std::string tables_csv(const std::vector<MeasuredTable>& tables);

/// The header first.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

/// "98.7 ± 0.3"; one decimal, as printed. `plus_minus` is the sign between them.
std::string shown_number(double mean, const std::optional<double>& spread, const std::string& plus_minus);

/// Mean ± standard error (runs); "-" or "stale" where nothing is measured.
std::string shown_cell(const MeasuredCell& cell, const std::string& plus_minus);

}  // namespace gsan::report
