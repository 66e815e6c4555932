#pragma once
// experiments/tables.json: for every table and protocol which columns, blocks and rows there are, and which
// config, changes and seeds each cell needs.
//
//   {"tables": {"trajectory": {"title": …, "metric": …, "published": PLAN, "strict": PLAN}, …},
//    "targets": […],                                             (targets.h)
//    "same_work": ["seed", "split.fold", …]}                     (estimate.h)
//   PLAN = {"says": …, "seeds": 10, "over": {"split.fold": [0, 1]}, "set": ["data.name={data}"],
//           "columns": [{"name": …, "paper": …, "set": […], "seeds": …, "over": …, "data": "ocean"}],
//           "blocks": [{"name": …, "paper": "/trajectory/rows", "set": […], "seeds": …, "rows": …}],
//           "rows": [{"name": …, "paper": …, "config": "trajectory/{data}_san.yaml", "set": […],
//                     "columns": [only these], "rule": NAME OF A RULE, "variant_of": NAME OF A ROW,
//                     "other_protocol": [columns]}]}
//
// `{data}` stands for the member `data` of the column. A row without config is only quoted. A row with a rule
// is measured on the task of its config, without any model. A row with `variant_of` has other settings than
// those of the paper's row, and never counts as it. `other_protocol`: columns whose printed number was made
// under a protocol that the published one does not repeat. With "curve": "validation.accuracy" the number is
// the best of the mean curve (cells.h).

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan::report {

using Texts = std::vector<std::string>;
/// Keys with the values that each run of a seed has: {"split.fold", {"0", "1"}}.
using Over = std::vector<std::pair<std::string, Texts>>;

struct ColumnSource {
  std::string name{}, paper{};
  Texts set{};
  std::optional<int> seeds{};
  std::optional<Over> over{};
  std::map<std::string, std::string> words{};  ///< what {data} and the like stand for
};

struct RowSource {
  std::string name{}, paper{}, config{}, rule{}, variant_of{};
  Texts set{};
  Texts columns{};  ///< empty: all
  Texts other_protocol{};
};

struct BlockSource {
  std::string name{}, paper{};
  Texts set{};
  std::optional<int> seeds{};  ///< of all its cells
  std::vector<RowSource> rows{};
};

struct ProtocolSource {
  std::string says{}, curve{};
  int seeds = 1;
  Over over{};
  Texts set{};
  std::vector<ColumnSource> columns{};
  std::vector<BlockSource> blocks{};
};

struct TableSource {
  std::string name{}, title{}, metric{};
  std::map<Protocol, ProtocolSource> protocols{};
};

/// What a table is measured for. The best of the rows with the most runs counts, cell by cell.
struct Target {
  std::string says{}, table{};
  Protocol protocol = Protocol::strict;
  Texts rows{}, columns{}, blocks{};         ///< empty: all
  std::map<std::string, double> at_least{};  ///< by column; columns: those that are named
  bool at_least_printed = false;
  Texts above{}, within_one_sd_of{};  ///< rules, over the seeds that row and rule have in common
};

struct TablesFile {
  std::vector<TableSource> tables{};  ///< in the order of the file
  std::vector<Target> targets{};
  Texts same_work{};  ///< keys that do not change how long a run takes (estimate.h)
};

TablesFile read_tables(const std::filesystem::path& experiments);

}  // namespace gsan::report
