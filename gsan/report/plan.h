#pragma once
// Which runs and rules the paper's tables are made of (plan_file.h), each with its complete config.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gsan/report/paper_figures.h"
#include "gsan/report/plan_file.h"
#include "gsan/report/records.h"

namespace gsan::report {

struct PlannedRun {
  RunKey key{};
  std::string table{}, name{};  ///< name: "trajectory/strict/ocean_gsan_seed-0", for folders and messages
  std::string resolved{};       ///< hash of the complete config; of the task alone where rules are measured
  int epochs = 0;
};

struct PlannedCell {
  std::string column{};
  std::vector<PlannedRun> runs{};  ///< seed by seed
  std::optional<PaperFigure> printed{};
  bool is_other_protocol = false;  ///< the printed number was made under a protocol of its own
  bool has_target = false;
};

enum class RowKind {
  model,
  variant,  ///< other settings than those of the paper's row
  rule,
  quoted,  ///< printed in the paper; nothing of it runs here
};

struct PlannedRow {
  std::string name{}, rule{};  ///< rule: the one that it shows
  RowKind kind = RowKind::model;
  std::vector<PlannedCell> cells{};
};

struct PlannedBlock {
  std::string name{};  ///< empty where the table has only one
  std::vector<PlannedRow> rows{};
};

struct PlannedTable {
  std::string name{}, title{}, metric{}, says{};
  Protocol protocol = Protocol::strict;
  std::string curve{};  ///< not empty: the number is the best of this curve, averaged over the runs of a seed
  std::vector<std::string> columns{};
  std::vector<PlannedBlock> blocks{};
};

using Plan = std::vector<PlannedTable>;

/// What the user asks for; an empty list is everything.
struct PlanChoice {
  std::vector<std::string> tables{}, rows{}, columns{}, blocks{};
  Protocol protocol = Protocol::strict;
  int seeds = 0;                   ///< of each cell; 0: as many as the table says
  std::vector<std::string> set{};  ///< key=value for every run
  bool only_targets = false;
};

/// Every run is one that `gsan train` takes; one error otherwise. A name that the tables do not have is an
/// error with the nearest one.
Plan make_plan(const std::filesystem::path& experiments, const PlanChoice& choice);

/// A run to do, with what its record must hold.
struct RunToDo {
  PlannedRun run;
  std::string curve{};  ///< of the table, where a model is run
  bool has_target = false;
  bool for_time = false;  ///< the record must tell the time of an epoch on this machine
};

/// Every different run of the plan once, in its order.
std::vector<RunToDo> all_runs(const Plan& plan);

/// Letters, digits and hyphens: "GSAN (no harmonic)" → "gsan-no-harmonic".
std::string slug(const std::string& text);

}  // namespace gsan::report

namespace gsan {
template <>
struct EnumNames<report::RowKind> {
  static constexpr std::pair<report::RowKind, std::string_view> names[] = {
      {report::RowKind::model, "model"},
      {report::RowKind::variant, "variant"},
      {report::RowKind::rule, "rule"},
      {report::RowKind::quoted, "quoted"}};
};
}  // namespace gsan
