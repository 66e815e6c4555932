#include "gsan/report/paper_figures.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gsan/core/text.h"

namespace gsan::report {

// The texts of experiments/paper_tables.json and paper_places.json, by CMake.
extern const char* const paper_tables;
extern const char* const paper_places;

namespace {

using nlohmann::json;

/// Every key of a run by its value, texts without their quotes.
class RunKeys {
 public:
  explicit RunKeys(const RunSettings& settings) {
    const ConfigSchema schema = run_schema(settings);
    for (const auto& [name, key] : schema.keys()) {
      const auto* text = std::get_if<std::string>(&key.value);
      values_[name] = text != nullptr ? lower_case(*text) : to_text(key.value);
    }
  }

  bool has(const std::string& name, const std::string& value) const {
    const auto found = values_.find(name);
    return found != values_.end() && found->second == value;
  }

  /// Whether all of `if` and none of `unless` of the entry hold.
  bool meets(const json& entry) const {
    const auto holds = [&](const auto& condition) {
      return has(condition.key(), condition.value().template get<std::string>());
    };
    for (const auto& condition : entry.at("if").items())
      if (!holds(condition)) return false;
    if (entry.contains("unless"))
      for (const auto& condition : entry.at("unless").items())
        if (holds(condition)) return false;
    return true;
  }

  /// `text` with the value of a key in the place of {key}.
  std::string filled(std::string text) const {
    for (std::size_t open; (open = text.find('{')) != text.npos;) {
      const std::size_t close = text.find('}', open);
      text.replace(open, close + 1 - open, values_.at(text.substr(open + 1, close - open - 1)));
    }
    return text;
  }

 private:
  std::map<std::string, std::string> values_;
};

struct Place {
  std::string column;
  json table, rows;
  double percent = 0;  // of the imputation table
};

std::optional<Place> place_of(const RunKeys& keys, const json& places) {
  const json tables = json::parse(paper_tables);
  for (const json& entry : places.at("places")) {
    if (!keys.meets(entry)) continue;
    Place place{keys.filled(entry.at("column")), tables.at(entry.at("table").get<std::string>()), {}};
    if (!entry.contains("rows_by_missing_percent")) {
      place.rows = place.table.at("rows");
    } else {
      const std::string percent = keys.filled(entry.at("rows_by_missing_percent"));
      place.rows = place.table.at("rows_by_missing_percent").value(percent, json::object());
      place.percent = std::stod(percent);
    }
    return place;
  }
  return std::nullopt;
}

std::string row_of(const RunKeys& keys, const std::string& model, const json& places, const json& rows) {
  for (const json& entry : places.at("rows"))
    if (keys.meets(entry)) return rows.contains(entry.at("row")) ? entry.at("row").get<std::string>() : "";
  for (const auto& [row, cells] : rows.items())
    if (lower_case(row) == model) return row;
  return "";
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
  if (!settings.task.data.path.empty()) return std::nullopt;
  const json places = json::parse(paper_places);
  const RunKeys keys(settings);
  const std::optional<Place> place = place_of(keys, places);
  if (!place) return std::nullopt;
  const auto columns = place->table.at("columns").get<std::vector<std::string>>();
  const auto column = std::find(columns.begin(), columns.end(), place->column);
  const std::string row = row_of(keys, settings.model.name, places, place->rows);
  if (column == columns.end() || row.empty()) return std::nullopt;
  const json& cell = place->rows.at(row).at(static_cast<std::size_t>(column - columns.begin()));
  if (!cell.is_array()) return std::nullopt;
  return PaperFigure{row, place->column, cell.at(0).get<double>(), cell.at(1).get<double>(),
                     is_misprint(place->table, row, place->column, place->percent)};
}

}  // namespace gsan::report
