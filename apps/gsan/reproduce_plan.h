#pragma once
// Which runs the paper's tables are made of. experiments/tables.json says for every table and protocol which
// columns, blocks and rows there are and which config, changes and seeds each cell needs:
//
//   {"tables": {"trajectory": {"title": …, "metric": …, "published": PLAN, "strict": PLAN}, …},
//    "targets": […]}                                             (reproduce_targets.h)
//   PLAN = {"says": …, "seeds": 10, "over": {"split.fold": [0, 1]}, "set": ["data.name={data}"],
//           "columns": [{"name": …, "paper": …, "set": […], "seeds": …, "over": …, "data": "ocean"}],
//           "blocks": [{"name": …, "paper": "/trajectory/rows", "set": […], "rows": …}],
//           "rows": [{"name": …, "paper": …, "config": "trajectory/{data}_san.yaml", "set": […],
//                     "columns": [only these], "rule": NAME OF A BASELINE}]}
//
// `{data}` stands for the member `data` of the column. A row without config is only quoted. A row with a rule
// shows that baseline, of which its runs (of one epoch) are the measurement. "number": "best of the mean
// curve" with "curve": "validation.accuracy" is the number of the published Table III (reproduce_cells.h).

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gsan/train/run_settings.h"

#include "apps/gsan/paper_figures.h"

namespace gsan::app {

/// Every key of a config with its value as text.
using FlatSettings = std::map<std::string, std::string>;

FlatSettings flat_settings(const RunSettings& settings);

struct PlannedRun {
  std::string name;  ///< "seed-0-fold-3"
  std::uint64_t seed = 0;
  std::filesystem::path config;
  std::vector<std::string> overrides;  ///< key=value, the seed and the protocol included
  FlatSettings settings;               ///< complete
  /// What it is: task, protocol, data, model, seed, and every key with a value of its own.
  std::vector<std::string> chosen;
  std::vector<std::string> foreign;  ///< what --set changed: such a run is not of the protocol
  std::filesystem::path file;        ///< of its record, below the folder of results
  int epochs = 0;
};

struct PlannedCell {
  std::string column;
  std::vector<PlannedRun> runs;  ///< seed by seed
  std::optional<PaperFigure> printed{};
  bool has_target = false;
};

struct PlannedRow {
  std::string name, rule;  ///< rule: the baseline that it shows; empty: the model itself
  bool is_quoted = false;  ///< nothing of it runs here
  std::vector<PlannedCell> cells;
};

/// model, rule or quoted
inline std::string kind_of(const PlannedRow& row) {
  return row.is_quoted ? "quoted" : row.rule.empty() ? "model" : "rule";
}

struct PlannedBlock {
  std::string name;  ///< empty where the table has only one
  std::vector<PlannedRow> rows;
};

struct PlannedTable {
  std::string name, title, metric, says;
  Protocol protocol = Protocol::strict;
  std::string curve;  ///< not empty: the number is the best of this curve, averaged over the runs of a seed
  std::vector<std::string> columns;
  std::vector<PlannedBlock> blocks;
};

/// What the user asks for; an empty list is everything.
struct PlanChoice {
  std::vector<std::string> tables, rows, columns, blocks;
  Protocol protocol = Protocol::strict;
  int seeds = 0;                 ///< of each cell; 0: as many as the table says
  std::vector<std::string> set;  ///< key=value for every run
  bool only_targets = false;
};

/// Names of all tables, in the order of the file.
std::vector<std::string> table_names(const std::filesystem::path& experiments);

/// Every run is one that `gsan train` takes; one error otherwise. A name that the tables do not have is an
/// error with the nearest one.
std::vector<PlannedTable> make_plan(const std::filesystem::path& experiments, const PlanChoice& choice);

/// Letters, digits and hyphens: "GSAN (no harmonic)" → "gsan-no-harmonic".
std::string slug(const std::string& text);

}  // namespace gsan::app
