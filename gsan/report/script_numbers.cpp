#include "gsan/report/script_numbers.h"

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_text.h"
#include "gsan/report/forms.h"

namespace gsan::report {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json& cell) {
  if (cell.is_null()) return "-";
  const auto sd = cell.at("n") == 1 ? std::nullopt : std::optional(cell.at("sd").get<double>());
  return shown_number(cell.at("mean").get<double>(), sd, "±");
}

}  // namespace

std::string script_numbers_markdown(const fs::path& results, const std::string& name,
                                    const std::string& table) {
  const fs::path file = results / (name + ".json");
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return "(not measured yet)\n";
  try {
    const Json numbers = Json::parse(checked_json(read_file(file), file.string()));
    const Json& block = numbers.at(table);
    std::vector<std::vector<std::string>> rows{
        {concat("mean ± sd over ", block.at("over").get<std::string>())}};
    for (const Json& column : block.at("columns")) rows[0].push_back(column.get<std::string>());
    for (const Json& row : block.at("rows")) {
      rows.push_back({row.at("says").get<std::string>()});
      for (const Json& cell : row.at("cells")) rows.back().push_back(shown(cell));
    }
    return markdown_table(rows);
  } catch (const Json::exception& error) {
    fail(Fault::format, file.string(), ": ", json_reason(error.what()));
  }
}

}  // namespace gsan::report
