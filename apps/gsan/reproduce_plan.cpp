#include "apps/gsan/reproduce_plan.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "gsan/core/atomic_file.h"
#include "gsan/core/hash.h"
#include "gsan/core/nearest.h"

#include "apps/gsan/console/options.h"
#include "apps/gsan/reproduce_targets.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

using Texts = std::vector<std::string>;

std::string text_of(const Json& object, const char* key) { return object.value(key, std::string()); }

bool is_wanted(const Texts& wanted, const std::string& name) {
  const auto is_it = [&](const std::string& one) { return slug(one) == slug(name); };
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), is_it);
}

// `{data}` → the member `data` of the column.
std::string filled(std::string text, const Json& column) {
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open)) {
    const std::size_t close = text.find('}', open);
    GSAN_CHECK(close != text.npos, "tables.json: '", text, "' has a { without a }");
    const std::string name = text.substr(open + 1, close - open - 1);
    GSAN_CHECK(column.contains(name) && column[name].is_string(), "tables.json: no column member '", name,
               "' for '", text, "'");
    text.replace(open, close - open + 1, column[name].get<std::string>());
  }
  return text;
}

// The changes of all that apply, the more special ones last.
Texts changes(const Json& column, const std::vector<const Json*>& sources) {
  Texts all;
  for (const Json* source : sources)
    for (const Json& entry : source->value("set", Json::array()))
      all.push_back(filled(entry.get<std::string>(), column));
  return all;
}

// Every combination of the keys of "over": [{"split.fold=0"}, …]; one empty combination without any.
std::vector<Texts> combinations(const Json& over) {
  std::vector<Texts> all{{}};
  for (const auto& [key, values] : over.items()) {
    std::vector<Texts> next;
    for (const Texts& before : all)
      for (const Json& value : values) {
        next.push_back(before);
        next.back().push_back(concat(key, "=", value.dump()));
      }
    all = std::move(next);
  }
  return all;
}

// "split.fold=3" → "-fold-3"
std::string short_name(const std::string& change) {
  const std::size_t equals = change.find('='), dot = change.rfind('.', equals);
  const std::string key = dot == change.npos ? change.substr(0, equals)
                          : change.substr(0, dot) == "split"
                              ? change.substr(dot + 1, equals - dot - 1)
                              : change.substr(0, dot) + "-" + change.substr(dot + 1, equals - dot - 1);
  return concat("-", key, "-", change.substr(equals + 1));
}

class Planner {
 public:
  Planner(fs::path experiments, const PlanChoice& choice)
      : experiments_(std::move(experiments)), choice_(choice) {}

  PlannedTable table(const std::string& name, const Json& source, const Json& targets) {
    const std::string protocol(name_of(choice_.protocol));
    const Json& plan = source.at(protocol);
    PlannedTable table;
    table.name = name;
    table.title = text_of(source, "title");
    table.metric = text_of(source, "metric");
    table.says = text_of(plan, "says");
    table.protocol = choice_.protocol;
    table.curve = text_of(plan, "curve");
    for (const Json& column : plan.at("columns"))
      if (is_wanted(choice_.columns, text_of(column, "name")))
        table.columns.push_back(text_of(column, "name"));
    for (const Json& block : plan.at("blocks")) {
      const std::string block_name = text_of(block, "name");
      if (!is_wanted(choice_.blocks, block_name)) continue;
      PlannedBlock made{block_name, {}};
      for (const Json& row : block.contains("rows") ? block["rows"] : plan.at("rows")) {
        if (!is_wanted(choice_.rows, text_of(row, "name"))) continue;
        PlannedRow planned = make_row(table, plan, block, row);
        for (PlannedCell& cell : planned.cells)
          cell.has_target = is_target(targets, table, block_name, planned.name, cell.column);
        if (choice_.only_targets)
          std::erase_if(planned.cells, [](const PlannedCell& cell) { return !cell.has_target; });
        if (!planned.cells.empty()) made.rows.push_back(std::move(planned));
      }
      if (!made.rows.empty()) table.blocks.push_back(std::move(made));
    }
    return table;
  }

 private:
  PlannedRow make_row(const PlannedTable& table, const Json& plan, const Json& block, const Json& row) {
    PlannedRow planned{text_of(row, "name"), text_of(row, "rule"), !row.contains("config"), {}};
    for (const Json& column : plan.at("columns")) {
      const std::string name = text_of(column, "name");
      if (!is_wanted(choice_.columns, name)) continue;
      if (row.contains("columns") && !is_wanted(row["columns"].get<Texts>(), name)) continue;
      PlannedCell cell{.column = name, .runs = {}};
      if (block.contains("paper") && row.contains("paper"))
        cell.printed = printed_cell(text_of(block, "paper"), text_of(row, "paper"), text_of(column, "paper"));
      if (!planned.is_quoted) cell.runs = runs_of(table, plan, block, row, column);
      planned.cells.push_back(std::move(cell));
    }
    return planned;
  }

  std::vector<PlannedRun> runs_of(const PlannedTable& table, const Json& plan, const Json& block,
                                  const Json& row, const Json& column) {
    const int planned_seeds = column.value("seeds", plan.value("seeds", 1));
    const int seeds = choice_.seeds > 0 ? choice_.seeds : planned_seeds;
    const auto over = combinations(column.value("over", plan.value("over", Json::object())));
    PlannedRun common;
    common.config = experiments_ / filled(text_of(row, "config"), column);
    common.overrides = changes(column, {&plan, &column, &block, &row});
    common.foreign = choice_.set;
    const std::string yaml = read_config_file(common.config);
    const std::string set =
        choice_.set.empty() ? "" : "_set-" + sha256_hex(concat(joined(choice_.set))).substr(0, 8);
    common.overrides.push_back(concat("protocol=", name_of(choice_.protocol)));
    // Rules that are measured by the same runs share their records.
    const std::string what =
        text_of(row, "rule").empty()
            ? text_of(row, "name")
            : "rules-" +
                  sha256_hex(text_of(row, "config") + row.value("set", Json::array()).dump()).substr(0, 6);
    const std::string block_part = text_of(block, "name").empty() ? "" : slug(text_of(block, "name")) + "_";
    std::vector<PlannedRun> runs;
    for (int seed = 0; seed < seeds; ++seed) {
      for (const Texts& changes_of_run : over) {
        PlannedRun run = common;
        run.seed = static_cast<std::uint64_t>(seed);
        run.name = concat("seed-", seed);
        Texts own{concat("seed=", seed)};
        for (const std::string& change : changes_of_run) {
          own.push_back(change);
          run.name += short_name(change);
        }
        settle(run, yaml, own);
        run.file =
            fs::path(table.name) / std::string(name_of(table.protocol)) /
            concat(block_part, slug(text_of(column, "name")), "_", slug(what), "_", run.name, set, ".json");
        runs.push_back(std::move(run));
      }
    }
    return runs;
  }

  // The settings of a run. Runs of a cell differ only in numbers that no other setting depends on: their
  // settings are read once, with the numbers of the first.
  void settle(PlannedRun& run, const std::string& yaml, const Texts& own) {
    const std::string cell = concat(run.config.string(), "\n", joined(run.overrides));
    run.overrides.insert(run.overrides.end(), own.begin(), own.end());
    run.overrides.insert(run.overrides.end(), choice_.set.begin(), choice_.set.end());
    auto known = settled_.find(cell);
    if (known == settled_.end()) {
      const RunSettings settings = parse_run_settings(yaml, run.config.string(), run.overrides);
      FlatSettings flat = flat_settings(settings);
      std::vector<std::string> chosen = chosen_keys(flat);
      known =
          settled_.emplace(cell, Settled{std::move(flat), std::move(chosen), settings.train.epochs}).first;
    }
    run.settings = known->second.settings;
    run.chosen = known->second.chosen;
    run.epochs = known->second.epochs;
    for (const std::string& change : own) {
      const std::size_t equals = change.find('=');
      run.settings.at(change.substr(0, equals)) = change.substr(equals + 1);
      run.chosen.push_back(change.substr(0, equals));
    }
    for (const std::string& change : choice_.set)  // what the user sets stands above
      if (const std::string key = change.substr(0, change.find('=')); is_own(own, key))
        run.settings.at(key) = known->second.settings.at(key);
  }

  static bool is_own(const Texts& own, const std::string& key) {
    return std::any_of(own.begin(), own.end(),
                       [&](const auto& change) { return change.starts_with(key + "="); });
  }

  // Where the settings differ from those of a run that only names task, protocol, data and model.
  std::vector<std::string> chosen_keys(const FlatSettings& settings) {
    std::vector<std::string> chosen{"task", "protocol", "data.name", "model.name", "seed"};
    std::string yaml = concat("task: ", settings.at("task"), "\nprotocol: ", settings.at("protocol"));
    yaml += concat("\ndata: {name: ", settings.at("data.name"),
                   "}\nmodel: {name: ", settings.at("model.name"), "}\n");
    auto plain = plain_.find(yaml);
    if (plain == plain_.end())
      plain = plain_.emplace(yaml, flat_settings(parse_run_settings(yaml, "standard settings", {}))).first;
    for (const auto& [key, value] : settings)
      if (const auto found = plain->second.find(key); found == plain->second.end() || found->second != value)
        chosen.push_back(key);
    return chosen;
  }

  struct Settled {
    FlatSettings settings;
    std::vector<std::string> chosen;
    int epochs = 0;
  };

  static std::string joined(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += text + "\n";
    return all;
  }

  const std::string& read_config_file(const fs::path& path) {
    auto found = texts_.find(path);
    if (found == texts_.end()) found = texts_.emplace(path, read_file(path)).first;
    return found->second;
  }

  fs::path experiments_;
  const PlanChoice& choice_;
  std::map<fs::path, std::string> texts_;
  std::map<std::string, Settled> settled_;
  std::map<std::string, FlatSettings> plain_;  // by their config
};

Json read_tables(const fs::path& experiments) {
  const fs::path file = experiments / "tables.json";
  std::error_code ignored;
  GSAN_CHECK(fs::exists(file, ignored), "reproduce: there is no ", file.string(),
             "; run it in the folder of the repository or give --experiments FOLDER");
  try {
    return Json::parse(read_file(file));
  } catch (const Json::exception& error) {
    fail(Fault::format, file.string(), " is no list of tables: ", error.what());
  }
}

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

void check_choice(const Json& tables, const PlanChoice& choice) {
  std::set<std::string> names, rows, columns, blocks;
  for (const auto& [name, table] : tables.items()) {
    names.insert(name);
    if (!choice.tables.empty() && !is_wanted(choice.tables, name)) continue;
    const Json& plan = table.at(std::string(name_of(choice.protocol)));
    const auto add = [](std::set<std::string>& set, const Json& list) {
      for (const Json& entry : list) set.insert(text_of(entry, "name"));
    };
    add(columns, plan.at("columns"));
    add(blocks, plan.at("blocks"));
    add(rows, plan.value("rows", Json::array()));
    for (const Json& block : plan.at("blocks")) add(rows, block.value("rows", Json::array()));
  }
  check_names(choice.tables, names, "table");
  check_names(choice.rows, rows, "row");
  check_names(choice.columns, columns, "column");
  check_names(choice.blocks, blocks, "block");
}

}  // namespace

FlatSettings flat_settings(const RunSettings& settings) {
  const ConfigSchema schema = run_schema(settings);
  FlatSettings all;
  for (const auto& [name, key] : schema.keys()) all.emplace(name, to_text(key.value));
  return all;
}

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

std::vector<std::string> table_names(const fs::path& experiments) {
  std::vector<std::string> names;
  const Json file = read_tables(experiments);
  for (const auto& [name, table] : file.at("tables").items()) names.push_back(name);
  return names;
}

std::vector<PlannedTable> make_plan(const fs::path& experiments, const PlanChoice& choice) {
  const Json file = read_tables(experiments);
  try {
    check_choice(file.at("tables"), choice);
    Planner planner(experiments, choice);
    std::vector<PlannedTable> plan;
    for (const auto& [name, table] : file.at("tables").items())
      if (is_wanted(choice.tables, name))
        plan.push_back(planner.table(name, table, file.value("targets", Json::array())));
    return plan;
  } catch (const Json::exception& error) {
    fail(Fault::format, (experiments / "tables.json").string(), ": ", error.what());
  }
}

}  // namespace gsan::app
