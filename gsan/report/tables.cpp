#include "gsan/report/tables.h"

#include <algorithm>

namespace gsan::report {

bool MeasuredRow::is_measured() const {
  return std::any_of(cells.begin(), cells.end(), [](const auto& one) { return one.is_measured(); });
}

bool MeasuredRow::is_printed() const {
  return std::any_of(cells.begin(), cells.end(), [](const auto& one) { return one.printed.has_value(); });
}

bool MeasuredRow::has_verdict() const {
  return std::any_of(cells.begin(), cells.end(),
                     [](const auto& one) { return one.verdict != Verdict::none; });
}

const MeasuredCell* MeasuredRow::cell(const std::string& column) const {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const auto& one) { return one.column == column; });
  return found == cells.end() ? nullptr : &*found;
}

const MeasuredBlock* MeasuredTable::block(const std::string& block_name) const {
  const auto found =
      std::find_if(blocks.begin(), blocks.end(), [&](const auto& one) { return one.name == block_name; });
  return found == blocks.end() ? nullptr : &*found;
}

MeasuredTable measure_table(const PlannedTable& table, const RecordStore& store) {
  MeasuredTable measured{.name = table.name,
                         .title = table.title,
                         .metric = table.metric,
                         .says = table.says,
                         .protocol = table.protocol,
                         .columns = table.columns,
                         .blocks = {},
                         .by_hand = {}};
  for (const PlannedBlock& block : table.blocks) {
    MeasuredBlock made{block.name, {}};
    for (const PlannedRow& row : block.rows) {
      made.rows.push_back({row.name, row.kind, {}});
      for (const PlannedCell& cell : row.cells) {
        made.rows.back().cells.push_back(measure(table, row, cell, store));
        if (!cell.runs.empty()) measured.by_hand = cell.runs.front().key.by_hand;
      }
    }
    measured.blocks.push_back(std::move(made));
  }
  return measured;
}

std::vector<MeasuredTable> measure_tables(const Plan& plan, const RecordStore& store) {
  std::vector<MeasuredTable> tables;
  for (const PlannedTable& table : plan) tables.push_back(measure_table(table, store));
  return tables;
}

}  // namespace gsan::report
