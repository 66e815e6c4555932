#include "apps/gsan/reproduce_report.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "apps/gsan/console/table.h"
#include "apps/gsan/reproduce_cells.h"

namespace gsan::app {
namespace {

Json cell_json(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
               const RecordStore& store) {
  const MeasuredCell measured = measure(table, row, cell, store);
  const auto known = [](bool is_known, double value) { return is_known ? Json(value) : Json(nullptr); };
  const bool is_measured = measured.is_measured();
  Json object{{"column", cell.column},
              {"mean", known(is_measured, measured.mean)},
              {"sd", known(measured.has_sd, measured.sd)},
              {"values", measured.values},
              {"seeds", measured.seeds},
              {"done", measured.done},
              {"planned", measured.planned},
              {"runs", run_count(table, measured)},
              {"last_epoch", known(measured.has_last, measured.last)},
              {"printed", nullptr},
              {"difference", nullptr},
              {"stale", measured.stale},
              {"target", cell.has_target}};
  if (!table.curve.empty() && row.rule.empty()) object["own_best"] = known(is_measured, measured.own_best);
  if (cell.printed) {
    object["printed"] = {{"mean", cell.printed->mean},
                         {"sd", cell.printed->deviation},
                         {"misprint", cell.printed->is_misprint}};
    if (is_measured) object["difference"] = measured.mean - cell.printed->mean;
  }
  return object;
}

void add_once(Json& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

Json table_json(const PlannedTable& table, const RecordStore& store) {
  Json blocks = Json::array(), remarks = Json::array(), set = Json::array();
  for (const PlannedBlock& block : table.blocks) {
    Json rows = Json::array();
    for (const PlannedRow& row : block.rows) {
      Json cells = Json::array();
      for (const PlannedCell& cell : row.cells) {
        cells.push_back(cell_json(table, row, cell, store));
        for (const PlannedRun& run : cell.runs) {
          for (const std::string& change : run.foreign) add_once(set, change);
          if (const TableRecord* record = store.find(run))
            for (const std::string& remark : record->result.remarks) add_once(remarks, remark);
        }
      }
      rows.push_back({{"name", row.name}, {"kind", kind_of(row)}, {"cells", cells}});
    }
    blocks.push_back({{"name", block.name}, {"rows", rows}});
  }
  return {{"name", table.name},
          {"title", table.title},
          {"metric", table.metric},
          {"protocol", std::string(name_of(table.protocol))},
          {"says", table.says},
          {"columns", table.columns},
          {"blocks", blocks},
          {"remarks", remarks},
          {"set", set}};
}

std::string text_of(const Json& value) { return value.get<std::string>(); }

std::string one_decimal(double value, bool with_sign = false) {
  char text[48];
  std::snprintf(text, sizeof text, with_sign ? "%+.1f" : "%.1f", value);
  return text;
}

std::string ours(const Json& cell, const std::string& plus_minus) {
  if (!cell["mean"].is_number()) return cell["stale"] > 0 ? "stale" : "-";
  return concat(shown_number(cell["mean"], cell["sd"], plus_minus), " (", text_of(cell["runs"]), ")");
}

std::string printed(const Json& cell, const std::string& plus_minus) {
  const Json& figure = cell["printed"];
  if (!figure.is_object()) return "-";
  return shown_number(figure["mean"], figure["sd"], plus_minus) + (figure["misprint"] ? " misprint" : "");
}

std::string difference(const Json& cell) {
  return cell["difference"].is_number() ? one_decimal(cell["difference"].get<double>(), true) : "-";
}

std::string row_name(const Json& row) {
  return text_of(row["name"]) + (row["kind"] == "quoted" ? " (quoted)" : "");
}

const Json* cell_in(const Json& row, const Json& column) {
  for (const Json& cell : row["cells"])
    if (cell["column"] == column) return &cell;
  return nullptr;
}

using Rows = std::vector<std::vector<std::string>>;  // the header first

// Up to two columns stand side by side with what is printed; more stand above it, as lines of their own.
Rows rows_of(const Json& table, const Json& block, const std::string& pm) {
  const Json& columns = table["columns"];
  const bool side_by_side = columns.size() <= 2;
  Rows all(1);
  all[0].push_back(text_of(table["metric"]));
  for (const Json& column : columns) {
    all[0].push_back(text_of(column));
    if (side_by_side) all[0].insert(all[0].end(), {"printed", "difference"});
  }
  using Shown = std::function<std::string(const Json&)>;
  const auto line = [&](const std::string& name, const Json& row, const std::vector<Shown>& parts) {
    std::vector<std::string> cells{name};
    for (const Json& column : columns) {
      const Json* cell = cell_in(row, column);
      for (const Shown& part : parts) cells.push_back(cell == nullptr ? "-" : part(*cell));
    }
    all.push_back(std::move(cells));
  };
  const Shown our = [&](const Json& cell) { return ours(cell, pm); };
  const Shown paper = [&](const Json& cell) { return printed(cell, pm); };
  for (const Json& row : block["rows"]) {
    const bool has_printed = std::any_of(row["cells"].begin(), row["cells"].end(),
                                         [](const Json& cell) { return cell["printed"].is_object(); });
    if (side_by_side) {
      line(row_name(row), row, {our, paper, difference});
      continue;
    }
    const bool is_measured = std::any_of(row["cells"].begin(), row["cells"].end(), [](const Json& cell) {
      return cell["mean"].is_number() || cell["stale"] > 0;
    });
    if (row["kind"] != "quoted" && (is_measured || !has_printed)) line(row_name(row), row, {our});
    if (has_printed) line(concat(row_name(row), ", printed"), row, {paper});
    const bool has_difference = std::any_of(row["cells"].begin(), row["cells"].end(),
                                            [](const Json& cell) { return cell["difference"].is_number(); });
    if (has_difference) line(concat(row_name(row), ", difference"), row, {difference});
  }
  return all;
}

bool has_misprint(const Json& table) {
  for (const Json& block : table["blocks"])
    for (const Json& row : block["rows"])
      for (const Json& cell : row["cells"])
        if (cell["printed"].is_object() && cell["printed"]["misprint"]) return true;
  return false;
}

// What must be known to read the table.
std::vector<std::string> notes_of(const Json& table) {
  std::vector<std::string> notes{
      concat("Protocol ", text_of(table["protocol"]), ". ", text_of(table["says"]))};
  if (table["protocol"] == "strict")
    notes.emplace_back("Printed numbers were made under the published protocol.");
  std::string set;
  for (const Json& change : table["set"]) set += concat(set.empty() ? "" : " ", text_of(change));
  if (!set.empty()) notes.push_back(concat("With ", set, ": these runs are not of the protocol."));
  int stale = 0;
  for (const Json& block : table["blocks"])
    for (const Json& row : block["rows"])
      for (const Json& cell : row["cells"]) stale += cell["stale"].get<int>();
  if (stale > 0)
    notes.push_back(
        concat(stale, " records are stale: they were made with other settings and do not count."));
  if (has_misprint(table))
    notes.emplace_back("misprint: the printed cell repeats another cell of the paper's table.");
  for (const Json& remark : table["remarks"]) notes.push_back(concat("published: ", text_of(remark)));
  return notes;
}

std::string plain(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? text_of(value) : value.dump();
}

}  // namespace

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
      text += ' ';
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " |";
    }
    return text + "\n";
  };
  std::string text = line(rows.front()) + "|---|";
  for (std::size_t c = 1; c < rows.front().size(); ++c) text += "--:|";
  text += "\n";
  for (std::size_t r = 1; r < rows.size(); ++r) text += line(rows[r]);
  return text;
}

std::string shown_number(const Json& mean, const Json& sd, const std::string& plus_minus) {
  if (!mean.is_number()) return "-";
  const std::string number = one_decimal(mean.get<double>());
  return sd.is_number() ? concat(number, " ", plus_minus, " ", one_decimal(sd.get<double>())) : number;
}

Json tables_json(const std::vector<PlannedTable>& plan, const RecordStore& store) {
  Json tables = Json::array();
  for (const PlannedTable& table : plan) tables.push_back(table_json(table, store));
  const Protocol protocol = plan.empty() ? Protocol::strict : plan.front().protocol;
  return {{"command", "reproduce"}, {"protocol", std::string(name_of(protocol))}, {"tables", tables}};
}

std::string tables_text(const Json& report) {
  std::string text;
  for (const Json& table : report["tables"]) {
    text += concat(text.empty() ? "" : "\n", text_of(table["title"]), "\n");
    for (const Json& block : table["blocks"]) {
      if (block["name"] != "") text += concat("\n", text_of(block["name"]), "\n");
      const Rows rows = rows_of(table, block, "+-");
      Table aligned(rows.front());
      for (std::size_t r = 1; r < rows.size(); ++r) aligned.add(rows[r]);
      text += aligned.text();
    }
    for (const std::string& note : notes_of(table)) text += note + "\n";
  }
  return text;
}

std::string table_markdown(const Json& table) {
  std::string text;
  for (const Json& block : table["blocks"]) {
    if (block["name"] != "") text += concat("**", text_of(block["name"]), "**\n\n");
    text += markdown_table(rows_of(table, block, "±")) + "\n";
  }
  for (const std::string& note : notes_of(table)) text += concat("- ", note, "\n");
  return text;
}

std::string tables_markdown(const Json& report) {
  std::string text;
  for (const Json& table : report["tables"])
    text += concat(text.empty() ? "" : "\n", "## ", text_of(table["title"]), "\n\n", table_markdown(table));
  return text;
}

std::string tables_csv(const Json& report) {
  std::string text =
      "table,protocol,block,row,kind,column,mean,sd,values,done,planned,printed_mean,printed_sd,misprint,"
      "difference,"
      "stale,set\n";
  for (const Json& table : report["tables"]) {
    std::string set;
    for (const Json& change : table["set"]) set += concat(set.empty() ? "" : " ", text_of(change));
    for (const Json& block : table["blocks"]) {
      for (const Json& row : block["rows"]) {
        for (const Json& cell : row["cells"]) {
          std::string values;
          for (const Json& value : cell["values"]) values += concat(values.empty() ? "" : " ", value.dump());
          const Json& figure = cell["printed"];
          const bool is_printed = figure.is_object();
          for (const std::string& field :
               {plain(table["name"]), plain(table["protocol"]), plain(block["name"]), plain(row["name"]),
                plain(row["kind"]), plain(cell["column"]), plain(cell["mean"]), plain(cell["sd"]), values,
                plain(cell["done"]), plain(cell["planned"]), is_printed ? plain(figure["mean"]) : "",
                is_printed ? plain(figure["sd"]) : "",
                is_printed && figure["misprint"] ? std::string("true") : "", plain(cell["difference"]),
                plain(cell["stale"])})
            text += csv_field(field) + ",";
          text += csv_field(set) + "\n";
        }
      }
    }
  }
  return text;
}

std::string targets_text(const Json& targets) {
  if (targets.empty()) return "";
  Table table({"target", "cells", "measured", "met", "state", "nearest to missing it, or farthest from it"});
  for (const Json& target : targets)
    table.add({text_of(target["says"]), target["cells"].dump(), target["measured"].dump(),
               target["met"].dump(), text_of(target["state"]),
               target["worst"].is_null() ? "-" : text_of(target["worst"])});
  return table.text();
}

std::string targets_markdown(const Json& targets) {
  Rows rows{{"target", "cells", "measured", "met", "state", "worst cell"}};
  for (const Json& target : targets)
    rows.push_back({text_of(target["says"]), target["cells"].dump(), target["measured"].dump(),
                    target["met"].dump(), text_of(target["state"]),
                    target["worst"].is_null() ? "-" : text_of(target["worst"])});
  return markdown_table(rows);
}

}  // namespace gsan::app
