#include "gsan/report/paper_figures.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

namespace gsan::report {

extern const char* const paper_tables;  // the text of experiments/paper_tables.json

namespace {

using nlohmann::json;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The row of a model is called like the model, with these exceptions.
struct RowName {
  TaskKind task;
  const char *model, *row;
};
constexpr RowName row_names[] = {
    {TaskKind::trajectory, "san", "GSAN"},  // the module on edges alone
    {TaskKind::trajectory, "mpsn-flow", "MPSN"},
    {TaskKind::imputation, "san", "GSAN"},
    {TaskKind::simplex_prediction, "gcn-polynomial", "GCN"},
};

std::string row_of(const RunSettings& settings, const json& rows) {
  const bool is_harmonic = settings.model.layer.harmonic != HarmonicKind::none;
  std::string wanted = settings.model.name;
  for (const RowName& name : row_names)
    if (name.task == settings.task.kind && wanted == name.model) wanted = lower(name.row);
  if (settings.task.kind == TaskKind::trajectory && wanted == "gsan" && !is_harmonic)
    wanted = "gsan (no harmonic)";
  for (const auto& [row, cells] : rows.items())
    if (lower(row) == wanted) return row;
  return "";
}

struct Place {
  std::string column;
  json table, rows;
};

std::optional<Place> place_of(const TaskSettings& task) {
  if (!task.data.path.empty()) return std::nullopt;
  const json tables = json::parse(paper_tables);
  const auto place = [&](const char* table, const std::string& column) {
    return Place{column, tables.at(table), tables.at(table).value("rows", json::object())};
  };
  switch (task.kind) {
    case TaskKind::trajectory:
      return place("trajectory", task.data.name == "flow"    ? "synthetic_flow"
                                 : task.data.name == "ocean" ? "ocean_drifters"
                                                             : "");
    case TaskKind::graph_classification: {
      std::string column = task.data.name;
      for (char& c : column) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return place("graph_classification", column);
    }
    case TaskKind::simplex_prediction:
      if (task.data.name != "citation") return std::nullopt;
      return place("simplex_prediction", concat(task.simplex_prediction.order, "-simplex"));
    case TaskKind::imputation: {
      // The paper hides random simplices.
      if (task.data.name != "citation" || task.imputation.choice != MissingChoice::random)
        return std::nullopt;
      Place found = place("imputation", concat("order ", task.imputation.order));
      found.rows =
          found.table.at("rows_by_missing_percent").value(concat(task.imputation.missing), json::object());
      return found;
    }
    case TaskKind::simplex_classification:
      break;
  }
  return std::nullopt;
}

// `percent`: of the imputation table, whose cells alone are misprinted.
bool is_misprint(const json& table, const std::string& row, const std::string& column, double percent) {
  if (!table.contains("misprints")) return false;
  const json& misprints = table.at("misprints");
  const auto holds = [](const json& list, const auto& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  return holds(misprints.at("missing_percent"), percent) &&
         holds(misprints.at("cells").value(row, json::array()), column);
}

}  // namespace

std::optional<PaperFigure> printed_cell(const std::string& rows, const std::string& row,
                                        const std::string& column) {
  static const json tables = json::parse(paper_tables);
  const std::string name = rows.substr(1, rows.find('/', 1) - 1), last = rows.substr(rows.rfind('/') + 1);
  const json& table = tables.at(name);
  const json& list = tables.at(json::json_pointer(rows));
  GSAN_CHECK(list.contains(row), "the paper's table ", rows, " has no row '", row, "'");
  const json* cell = &list.at(row);
  if (!column.empty()) {
    const json& columns = table.at("columns");
    const auto place = std::find(columns.begin(), columns.end(), column);
    GSAN_CHECK(place != columns.end(), "the paper's table ", name, " has no column '", column, "'");
    cell = &cell->at(static_cast<std::size_t>(place - columns.begin()));
  }
  if (!cell->is_array()) return std::nullopt;
  const bool is_percent = !last.empty() && last.find_first_not_of("0123456789") == last.npos;
  return PaperFigure{row, column, cell->at(0).get<double>(), cell->at(1).get<double>(),
                     is_misprint(table, row, column, is_percent ? std::stod(last) : 0)};
}

std::optional<PaperFigure> paper_figure(const RunSettings& settings) {
  const std::optional<Place> place = place_of(settings.task);
  if (!place) return std::nullopt;
  const auto columns = place->table.at("columns").get<std::vector<std::string>>();
  const auto column = std::find(columns.begin(), columns.end(), place->column);
  const std::string row = row_of(settings, place->rows);
  if (column == columns.end() || row.empty()) return std::nullopt;
  const json& cell = place->rows.at(row).at(static_cast<std::size_t>(column - columns.begin()));
  if (!cell.is_array()) return std::nullopt;
  return PaperFigure{row, place->column, cell.at(0).get<double>(), cell.at(1).get<double>(),
                     is_misprint(place->table, row, place->column, settings.task.imputation.missing)};
}

}  // namespace gsan::report
