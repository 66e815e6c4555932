#pragma once
// The tables of the paper with what was measured.

#include <string>
#include <vector>

#include "gsan/report/cells.h"

namespace gsan::report {

struct MeasuredRow {
  std::string name{};
  RowKind kind = RowKind::model;
  std::vector<MeasuredCell> cells{};

  bool is_measured() const;
  bool is_printed() const;
  bool has_verdict() const;
  const MeasuredCell* cell(const std::string& column) const;  ///< nullptr where the row has none
};

struct MeasuredBlock {
  std::string name{};
  std::vector<MeasuredRow> rows{};
};

struct MeasuredTable {
  std::string name{}, title{}, metric{}, says{};
  Protocol protocol = Protocol::strict;
  std::vector<std::string> columns{};
  std::vector<MeasuredBlock> blocks{};
  std::vector<std::string> by_hand{};  ///< what --set changed

  const MeasuredBlock* block(const std::string& block_name) const;
};

MeasuredTable measure_table(const PlannedTable& table, const RecordStore& store);

/// All tables of a plan.
std::vector<MeasuredTable> measure_tables(const Plan& plan, const RecordStore& store);

}  // namespace gsan::report
