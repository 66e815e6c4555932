#include "gsan/report/plan.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "gsan/core/atomic_file.h"
#include "gsan/core/hash.h"
#include "gsan/core/nearest.h"
#include "gsan/report/resolved_config.h"
#include "gsan/report/targets.h"
#include "gsan/train/run_settings.h"

namespace gsan::report {
namespace fs = std::filesystem;
namespace {

bool is_wanted(const Texts& wanted, const std::string& name) {
  const auto is_it = [&](const std::string& one) { return slug(one) == slug(name); };
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), is_it);
}

bool holds(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// `{data}` → the word `data` of the column.
std::string filled(std::string text, const ColumnSource& column) {
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open)) {
    const std::size_t close = text.find('}', open);
    GSAN_CHECK(close != text.npos, "tables.json: '", text, "' has a { without a }");
    const auto word = column.words.find(text.substr(open + 1, close - open - 1));
    GSAN_CHECK(word != column.words.end(), "tables.json: the column '", column.name, "' has no word for '",
               text, "'");
    text.replace(open, close - open + 1, word->second);
  }
  return text;
}

// Every combination of the keys of "over": [{"split.fold=0"}, …]; one empty combination without any.
std::vector<Texts> combinations(const Over& over) {
  std::vector<Texts> all{{}};
  for (const auto& [key, values] : over) {
    std::vector<Texts> next;
    for (const Texts& before : all)
      for (const std::string& value : values) {
        next.push_back(before);
        next.back().push_back(concat(key, "=", value));
      }
    all = std::move(next);
  }
  return all;
}

std::string key_of(const std::string& change) { return change.substr(0, change.find('=')); }
std::string value_of(const std::string& change) { return change.substr(change.find('=') + 1); }

// "split.fold=3" → "-fold-3"
std::string short_name(const std::string& change) {
  std::string key = key_of(change);
  if (key.starts_with("split.")) key = key.substr(6);
  return concat("-", slug(key), "-", value_of(change));
}

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

RowKind kind_of(const RowSource& row) {
  return row.config.empty()        ? RowKind::quoted
         : !row.rule.empty()       ? RowKind::rule
         : !row.variant_of.empty() ? RowKind::variant
                                   : RowKind::model;
}

class Planner {
 public:
  Planner(fs::path experiments, const PlanChoice& choice)
      : experiments_(std::move(experiments)), choice_(choice) {}

  PlannedTable table(const TableSource& source, const std::vector<Target>& targets) {
    const ProtocolSource& plan = source.protocols.at(choice_.protocol);
    PlannedTable table{.name = source.name,
                       .title = source.title,
                       .metric = source.metric,
                       .says = plan.says,
                       .protocol = choice_.protocol,
                       .curve = plan.curve,
                       .columns = {},
                       .blocks = {}};
    for (const ColumnSource& column : plan.columns)
      if (is_wanted(choice_.columns, column.name)) table.columns.push_back(column.name);
    for (const BlockSource& block : plan.blocks) {
      if (!is_wanted(choice_.blocks, block.name)) continue;
      PlannedBlock made{block.name, {}};
      for (const RowSource& row : block.rows) {
        if (!is_wanted(choice_.rows, row.name)) continue;
        PlannedRow planned = make_row(table, plan, block, row);
        for (PlannedCell& cell : planned.cells)
          cell.has_target = is_target(targets, table, block.name, row.name, cell.column);
        if (choice_.only_targets)
          std::erase_if(planned.cells, [](const PlannedCell& cell) { return !cell.has_target; });
        if (!planned.cells.empty()) made.rows.push_back(std::move(planned));
      }
      if (!made.rows.empty()) table.blocks.push_back(std::move(made));
    }
    return table;
  }

 private:
  PlannedRow make_row(const PlannedTable& table, const ProtocolSource& plan, const BlockSource& block,
                      const RowSource& row) {
    PlannedRow planned{row.name, row.rule, kind_of(row), {}};
    for (const ColumnSource& column : plan.columns) {
      if (!is_wanted(choice_.columns, column.name) || !is_wanted(row.columns, column.name)) continue;
      PlannedCell cell{.column = column.name, .runs = {}};
      if (!block.paper.empty() && !row.paper.empty())
        cell.printed = printed_cell(block.paper, row.paper, column.paper);
      cell.is_other_protocol = holds(row.other_protocol, column.name);
      if (planned.kind != RowKind::quoted) cell.runs = runs_of(table, plan, block, row, column);
      planned.cells.push_back(std::move(cell));
    }
    return planned;
  }

  std::vector<PlannedRun> runs_of(const PlannedTable& table, const ProtocolSource& plan,
                                  const BlockSource& block, const RowSource& row,
                                  const ColumnSource& column) {
    RunKey common{.kind = row.rule.empty() ? RecordKind::model : RecordKind::rules,
                  .config = filled(row.config, column),
                  .protocol = choice_.protocol,
                  .set = {},
                  .by_hand = choice_.set};
    for (const Texts* set : {&plan.set, &column.set, &block.set, &row.set})  // the more special ones last
      for (const std::string& change : *set) common.set.push_back(filled(change, column));
    const std::string by_hand =
        common.by_hand.empty() ? "" : "_set-" + sha256_hex(joined(choice_.set)).substr(0, 8);
    // Rules of the same task are measured together.
    const std::string what = common.kind == RecordKind::model ? row.name : "rules-" + short_hash(common);
    const int seeds =
        choice_.seeds > 0 ? choice_.seeds : block.seeds.value_or(column.seeds.value_or(plan.seeds));
    std::vector<PlannedRun> runs;
    for (int seed = 0; seed < seeds; ++seed) {
      for (const Texts& own : combinations(column.over.value_or(plan.over))) {
        PlannedRun run{.key = common, .table = table.name, .name = {}, .resolved = {}};
        run.key.seed = static_cast<std::uint64_t>(seed);
        run.name = concat(table.name, "/", name_of(table.protocol), "/",
                          block.name.empty() ? "" : slug(block.name) + "_", slug(column.name), "_",
                          slug(what), "_seed-", seed);
        for (const std::string& change : own) run.name += short_name(change);
        run.name += by_hand;
        settle(run, own);
        runs.push_back(std::move(run));
      }
    }
    return runs;
  }

  static std::string short_hash(const RunKey& key) {
    return sha256_hex(key.config + "\n" + joined(key.set)).substr(0, 6);
  }

  // The config of a run. Runs of a cell differ only in numbers that no other setting depends on: their config
  // is read once, with the numbers of the first.
  void settle(PlannedRun& run, const Texts& own) {
    const std::string cell = concat(run.key.config, "\n", joined(run.key.set), "\n", joined(run.key.by_hand));
    run.key.set.insert(run.key.set.end(), own.begin(), own.end());
    auto known = settled_.find(cell);
    if (known == settled_.end()) {
      const fs::path file = experiments_ / run.key.config;
      const RunSettings settings = parse_run_settings(text_of(file), file.string(), run.key.overrides());
      known = settled_.emplace(cell, Settled{ResolvedConfig(settings), settings.train.epochs}).first;
    }
    run.epochs = known->second.epochs;
    ResolvedConfig config = known->second.config;
    config.set("seed", std::to_string(run.key.seed));
    for (const std::string& change : own)
      if (!is_by_hand(run.key, key_of(change))) config.set(key_of(change), value_of(change));
    run.resolved = run.key.kind == RecordKind::model ? config.hash() : config.task_hash();
  }

  static bool is_by_hand(const RunKey& run, const std::string& key) {
    return std::any_of(run.by_hand.begin(), run.by_hand.end(),
                       [&](const std::string& change) { return key_of(change) == key; });
  }

  struct Settled {
    ResolvedConfig config;
    int epochs = 0;
  };

  const std::string& text_of(const fs::path& file) {
    auto found = texts_.find(file);
    if (found == texts_.end()) found = texts_.emplace(file, read_file(file)).first;
    return found->second;
  }

  fs::path experiments_;
  const PlanChoice& choice_;
  std::map<fs::path, std::string> texts_;
  std::map<std::string, Settled> settled_;
};

// A word that names nothing must not silently choose nothing.
void check_names(const Texts& wanted, const std::set<std::string>& known, const char* what) {
  for (const std::string& one : wanted) {
    if (std::any_of(known.begin(), known.end(), [&](const auto& name) { return slug(name) == slug(one); }))
      continue;
    const std::string nearest = nearest_word(one, Texts(known.begin(), known.end()));
    fail(Fault::argument, "reproduce: no ", what, " is called '", one, "'",
         nearest.empty() ? "" : concat("; did you mean '", nearest, "'?"));
  }
}

void check_choice(const TablesFile& file, const PlanChoice& choice) {
  std::set<std::string> names, rows, columns, blocks;
  for (const TableSource& table : file.tables) {
    names.insert(table.name);
    if (!is_wanted(choice.tables, table.name)) continue;
    const ProtocolSource& plan = table.protocols.at(choice.protocol);
    for (const ColumnSource& column : plan.columns) columns.insert(column.name);
    for (const BlockSource& block : plan.blocks) {
      blocks.insert(block.name);
      for (const RowSource& row : block.rows) rows.insert(row.name);
    }
  }
  check_names(choice.tables, names, "table");
  check_names(choice.rows, rows, "row");
  check_names(choice.columns, columns, "column");
  check_names(choice.blocks, blocks, "block");
}

}  // namespace

std::string slug(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  if (!result.empty() && result.back() == '-') result.pop_back();
  return result;
}

Plan make_plan(const fs::path& experiments, const PlanChoice& choice) {
  const TablesFile file = read_tables(experiments);
  check_choice(file, choice);
  Planner planner(experiments, choice);
  Plan plan;
  for (const TableSource& table : file.tables)
    if (is_wanted(choice.tables, table.name)) plan.push_back(planner.table(table, file.targets));
  return plan;
}

std::vector<RunToDo> all_runs(const Plan& plan) {
  std::vector<RunToDo> all;
  std::map<std::pair<RecordKind, std::string>, std::size_t> known;
  for (const PlannedTable& table : plan)
    for (const PlannedBlock& block : table.blocks)
      for (const PlannedRow& row : block.rows)
        for (const PlannedCell& cell : row.cells)
          for (const PlannedRun& run : cell.runs) {
            const auto [place, is_new] = known.emplace(std::pair{run.key.kind, run.resolved}, all.size());
            if (is_new) all.push_back({run, run.key.kind == RecordKind::model ? table.curve : ""});
            all[place->second].has_target |= cell.has_target;
          }
  return all;
}

}  // namespace gsan::report
