#include "gsan/report/forms.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "gsan/core/options.h"

namespace gsan::report {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string printed(const MeasuredCell& cell, const std::string& plus_minus) {
  return cell.printed ? shown_number(cell.printed->mean, cell.printed->deviation, plus_minus) : "-";
}

// Which rows stand together.
enum class Group { paper, others, rules };

Group group_of(const MeasuredRow& row, bool is_published) {
  if (row.kind == RowKind::rule && !(is_published && row.is_printed())) return Group::rules;
  return is_published && !row.is_printed() ? Group::others : Group::paper;
}

std::string caption_of(Group group, bool is_published) {
  if (group == Group::rules) return "Rules, without a model";
  if (!is_published) return "Models";
  return group == Group::paper ? "Rows of the paper" : "Variants and other models: not rows of the paper";
}

using Shown = std::function<std::string(const MeasuredCell&)>;

// A line of a table: some parts of every column's cell.
std::vector<std::string> line(const std::string& name, const MeasuredRow& row,
                              const std::vector<std::string>& columns, const std::vector<Shown>& parts) {
  std::vector<std::string> cells{name};
  for (const std::string& column : columns) {
    const MeasuredCell* cell = row.cell(column);
    for (const Shown& part : parts) cells.push_back(cell == nullptr ? "-" : part(*cell));
  }
  return cells;
}

// Up to two columns show printed, ours and verdict side by side; of more these are lines.
Rows rows_of(const MeasuredTable& table, const std::vector<std::pair<std::string, const MeasuredRow*>>& rows,
             bool with_printed, const std::string& pm) {
  const bool side_by_side = table.columns.size() <= 2;
  const Shown our = [&](const MeasuredCell& cell) { return shown_cell(cell, pm); };
  const Shown paper = [&](const MeasuredCell& cell) { return printed(cell, pm); };
  const Shown verdict = [](const MeasuredCell& cell) { return std::string(name_of(cell.verdict)); };
  Rows all(1);
  all[0].push_back(table.metric);
  for (const std::string& column : table.columns) {
    if (with_printed && side_by_side) {
      all[0].insert(all[0].end(), {column + ", printed", "ours", "verdict"});
    } else {
      all[0].push_back(column);
    }
  }
  for (const auto& [block, row] : rows) {
    const std::string name = block.empty() ? row_name(*row) : concat(block, ": ", row_name(*row));
    if (!with_printed) {
      all.push_back(line(name, *row, table.columns, {our}));
    } else if (side_by_side) {
      all.push_back(line(name, *row, table.columns, {paper, our, verdict}));
    } else {
      all.push_back(line(name + ", printed", *row, table.columns, {paper}));
      if (row->kind != RowKind::quoted) all.push_back(line(name + ", ours", *row, table.columns, {our}));
      if (row->has_verdict()) all.push_back(line(name + ", verdict", *row, table.columns, {verdict}));
    }
  }
  return all;
}

// Rows of which nothing is measured, with their blocks where it is not all of them.
std::string missing_rows(const MeasuredTable& table) {
  std::vector<std::pair<std::string, Texts>> missing;  // row, blocks
  for (const MeasuredBlock& block : table.blocks) {
    for (const MeasuredRow& row : block.rows) {
      if (row.kind == RowKind::quoted || row.is_measured()) continue;
      const auto known = std::find_if(missing.begin(), missing.end(),
                                      [&](const auto& entry) { return entry.first == row.name; });
      (known == missing.end() ? missing.emplace_back(row.name, Texts{}) : *known)
          .second.push_back(block.name);
    }
  }
  std::string text;
  for (const auto& [row, blocks] : missing) {
    text += concat(text.empty() ? "" : "; ", row);
    for (std::size_t i = 0; i < blocks.size() && blocks.size() < table.blocks.size(); ++i)
      text += concat(i == 0 ? " (" : ", ", blocks[i], i + 1 == blocks.size() ? ")" : "");
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += concat(all.empty() ? "" : " ", text);
  return all;
}

}  // namespace

std::string row_name(const MeasuredRow& row) {
  return row.name + (row.kind == RowKind::quoted ? " (quoted)" : "");
}

std::vector<RowGroup> row_groups(const MeasuredTable& table, bool only_measured) {
  const bool is_published = table.protocol == Protocol::published;
  std::vector<RowGroup> groups;
  for (const Group group : {Group::paper, Group::others, Group::rules}) {
    RowGroup found{caption_of(group, is_published), group == Group::paper && is_published};
    for (const MeasuredBlock& block : table.blocks)
      for (const MeasuredRow& row : block.rows)
        if (group_of(row, is_published) == group && (!only_measured || row.is_measured()) &&
            (row.kind != RowKind::quoted || is_published))
          found.rows.emplace_back(table.blocks.size() > 1 ? block.name : "", &row);
    if (!found.rows.empty()) groups.push_back(std::move(found));
  }
  if (groups.size() == 1) groups.front().caption.clear();
  return groups;
}

std::vector<ShownTable> shown_tables(const MeasuredTable& table, const std::string& plus_minus,
                                     bool only_measured) {
  std::vector<ShownTable> shown;
  for (const RowGroup& group : row_groups(table, only_measured))
    shown.push_back({group.caption, rows_of(table, group.rows, group.with_printed, plus_minus)});
  return shown;
}

std::vector<std::string> notes_of(const MeasuredTable& table) {
  std::vector<std::string> notes{concat("Protocol ", name_of(table.protocol), ". ", table.says)};
  if (!table.by_hand.empty())
    notes.push_back(concat("With ", joined(table.by_hand), ": these runs are not of the protocol."));
  int stale = 0;
  for (const MeasuredBlock& block : table.blocks)
    for (const MeasuredRow& row : block.rows)
      for (const MeasuredCell& cell : row.cells) stale += cell.stale;
  if (stale > 0)
    notes.push_back(
        concat(stale, " records are stale: their config was another one, and they do not count."));
  if (const std::string missing = missing_rows(table); !missing.empty())
    notes.push_back(concat("Not measured yet: ", missing, "."));
  return notes;
}

std::string table_markdown(const MeasuredTable& table, bool only_measured) {
  std::string text;
  for (const ShownTable& shown : shown_tables(table, "±", only_measured)) {
    if (!shown.caption.empty()) text += concat("**", shown.caption, "**\n\n");
    text += markdown_table(shown.rows) + "\n";
  }
  for (const std::string& note : notes_of(table)) text += concat("- ", note, "\n");
  return text;
}

std::string tables_markdown(const std::vector<MeasuredTable>& tables) {
  std::string text;
  for (const MeasuredTable& table : tables)
    text += concat(text.empty() ? "" : "\n", "## ", table.title, "\n\n", table_markdown(table, false));
  return text;
}

std::string tables_csv(const std::vector<MeasuredTable>& tables) {
  std::string text =
      "table,protocol,block,row,kind,column,mean,sd,standard_error,values,done,planned,printed_mean,"
      "printed_sd,verdict,difference,stale,set\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? options::to_text(*value) : std::string();
  };
  for (const MeasuredTable& table : tables)
    for (const MeasuredBlock& block : table.blocks)
      for (const MeasuredRow& row : block.rows)
        for (const MeasuredCell& cell : row.cells) {
          Texts values;
          for (const double value : cell.values) values.push_back(options::to_text(value));
          const auto of_paper = [&](double PaperFigure::*field) {
            return cell.printed ? options::to_text((*cell.printed).*field) : std::string();
          };
          for (const std::string& field :
               {table.name, std::string(name_of(table.protocol)), block.name, row.name,
                std::string(name_of(row.kind)), cell.column,
                cell.is_measured() ? options::to_text(cell.mean) : "", number(cell.sd),
                number(cell.standard_error), joined(values), std::to_string(cell.done),
                std::to_string(cell.planned), of_paper(&PaperFigure::mean), of_paper(&PaperFigure::deviation),
                cell.verdict == Verdict::none ? "" : std::string(name_of(cell.verdict)),
                number(cell.difference()), std::to_string(cell.stale)})
            text += csv_field(field) + ",";
          text += csv_field(joined(table.by_hand)) + "\n";
        }
  return text;
}

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  const auto line_of = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
      text += ' ';
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " |";
    }
    return text + "\n";
  };
  std::string text = line_of(rows.front()) + "|---|";
  for (std::size_t c = 1; c < rows.front().size(); ++c) text += "--:|";
  text += "\n";
  for (std::size_t r = 1; r < rows.size(); ++r) text += line_of(rows[r]);
  return text;
}

std::string shown_number(double mean, const std::optional<double>& spread, const std::string& plus_minus) {
  const auto one_decimal = [](double value) {
    char text[48];
    std::snprintf(text, sizeof text, "%.1f", value);
    return std::string(text);
  };
  return spread ? concat(one_decimal(mean), " ", plus_minus, " ", one_decimal(*spread)) : one_decimal(mean);
}

std::string shown_cell(const MeasuredCell& cell, const std::string& plus_minus) {
  if (!cell.is_measured()) return cell.stale > 0 ? "stale" : "-";
  return concat(shown_number(cell.mean, cell.standard_error, plus_minus), " (", cell.runs, ")");
}

}  // namespace gsan::report
