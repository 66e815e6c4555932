#include "gsan/report/html/tables_page.h"

#include "gsan/core/text.h"
#include "gsan/report/forms.h"
#include "gsan/report/html/markup.h"
#include "gsan/report/html/page.h"
#include "gsan/report/sources.h"
#include "gsan/report/targets.h"
#include "gsan/train/manifest.h"

namespace gsan::report::html {
namespace fs = std::filesystem;
namespace {

constexpr const char* plus_minus = "±";
constexpr std::size_t most_values = 12;

// The runs behind the number: each of them, how they spread, what the paper prints.
std::string details(const MeasuredCell& cell) {
  std::vector<std::string> lines{concat("runs: ", cell.runs.empty() ? "none" : cell.runs)};
  if (cell.is_measured()) {
    const std::size_t count = std::min(cell.values.size(), most_values);
    lines.push_back(concat("values: ", joined(std::vector(cell.values.begin(), cell.values.begin() + count)),
                           count < cell.values.size() ? concat(", … (", cell.values.size(), ")") : ""));
    lines.push_back(concat("mean: ", show(cell.mean)));
  }
  if (cell.sd) lines.push_back(concat("standard deviation: ", show(*cell.sd)));
  if (cell.standard_error) lines.push_back(concat("standard error: ", show(*cell.standard_error)));
  if (cell.last) lines.push_back(concat("with the last epoch: ", show(*cell.last)));
  if (cell.stale > 0) lines.push_back(concat("stale records: ", cell.stale));
  if (cell.printed)
    lines.push_back(
        concat("printed: ", show(cell.printed->mean), " ", plus_minus, " ", show(cell.printed->deviation)));
  if (const auto difference = cell.difference(); difference && cell.is_measured())
    lines.push_back(concat("ours minus printed: ", show(*difference)));
  return joined(lines, "\n");
}

Cell shown(const MeasuredCell* cell, bool with_printed) {
  if (cell == nullptr) return Cell("–");
  Cell shown(shown_cell(*cell, plus_minus), details(*cell));
  if (cell->verdict != Verdict::none) shown.badge = name_of(cell->verdict);
  if (with_printed && cell->printed)
    shown.under = concat("printed ", shown_number(cell->printed->mean, cell->printed->deviation, plus_minus));
  return shown;
}

std::string group_table(const MeasuredTable& measured, const RowGroup& group) {
  HtmlTable made{{measured.metric}, {}};
  made.header.insert(made.header.end(), measured.columns.begin(), measured.columns.end());
  std::string block;
  for (const auto& [name, row] : group.rows) {
    if (name != block) made.rows.push_back({{name}, false, true});
    block = name;
    Row line{{row_name(*row)}};
    for (const std::string& column : measured.columns)
      line.cells.push_back(shown(row->cell(column), group.with_printed));
    made.rows.push_back(std::move(line));
  }
  return table(made);
}

Card table_card(const MeasuredTable& measured) {
  std::string body;
  for (const RowGroup& group : row_groups(measured, /*only_measured=*/true)) {
    if (!group.caption.empty()) body += heading(group.caption);
    body += group_table(measured, group);
  }
  if (body.empty()) body = paragraph("Nothing of this table is measured yet.");
  return {concat(measured.name, "-", name_of(measured.protocol)), measured.title,
          body + list(notes_of(measured))};
}

Card targets_card(const std::vector<JudgedTarget>& targets) {
  const auto rows = shown_targets(targets);
  HtmlTable made{rows.front(), {}, /*texts=*/true};
  for (std::size_t r = 1; r < rows.size(); ++r)
    made.rows.push_back({std::vector<Cell>(rows[r].begin(), rows[r].end())});
  return {"targets", "Targets", table(made)};
}

Card records_card(const RecordStore& store) {
  const Sources sources = sources_of(store);
  Facts lines{{"Records", sources.summary()},
              {"Machines", counted(sources.machines)},
              {"Builds", counted(sources.builds)},
              {"Commits", counted(sources.commits)}};
  return {"records", "Where the numbers come from", facts(lines) + list(store.broken())};
}

std::string capital(std::string_view word) {
  std::string text(word);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

bool is_results_folder(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / "manifest.json", ignored)) return false;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".jsonl") return true;
  return false;
}

std::string tables_page(const fs::path& results) {
  const fs::path experiments = fs::absolute(results).lexically_normal() / "..";
  GSAN_CHECK(fs::exists(experiments / "tables.json"), "report: ", results.string(),
             " holds records of tables, but beside it there is no tables.json, which says what they are of; "
             "give EXPERIMENTS/results");
  const RecordStore store(results);
  const TablesFile file = read_tables(experiments);
  Page page{"gsan report",
            "The paper's tables, measured",
            sources_of(store).summary(),
            concat("Written by gsan ", make_manifest(0).gsan, " from ", results.string(),
                   ". The page is complete by itself: it loads nothing from anywhere."),
            {}};
  Part opening;
  opening.cards.push_back(
      {"reading", "How to read it",
       list(std::vector<std::string>{
           "Numbers are mean ± standard error (runs); (1 of 10): one of ten planned runs is done; (3 x 10): "
           "three seeds of ten folds. Point at a number for its runs.",
           "Strict is free of leaks: validation chooses the epoch, the test set is read once. No printed "
           "number was made that way, so none is shown there.",
           "Published repeats the paper's protocol with its flaws, beside the printed numbers. One word "
           "compares: agrees (no further away than the printed deviation and two of our standard errors), "
           "setting (other settings than the published ones), protocol (another protocol than the one "
           "repeated here), misprint (the printed cell repeats another one)."})});
  std::vector<JudgedTarget> targets;
  std::vector<Part> parts;
  for (const Protocol protocol : {Protocol::strict, Protocol::published}) {
    PlanChoice choice;
    choice.protocol = protocol;
    const std::vector<MeasuredTable> tables = measure_tables(make_plan(experiments, choice), store);
    Part part{capital(name_of(protocol))};
    for (const MeasuredTable& one : tables) part.cards.push_back(table_card(one));
    parts.push_back(std::move(part));
    for (JudgedTarget& target : judge_targets(file.targets, tables)) targets.push_back(std::move(target));
  }
  if (!targets.empty()) opening.cards.push_back(targets_card(targets));
  opening.cards.push_back(records_card(store));
  page.parts.push_back(std::move(opening));
  page.parts.insert(page.parts.end(), parts.begin(), parts.end());
  return page_text(page);
}

}  // namespace gsan::report::html
