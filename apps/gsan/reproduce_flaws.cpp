#include "apps/gsan/reproduce_flaws.h"

#include <algorithm>

#include "gsan/core/atomic_file.h"
#include "gsan/train/manifest.h"

#include "apps/gsan/console/table.h"
#include "apps/gsan/reproduce_flaw_measures.h"
#include "apps/gsan/reproduce_records.h"
#include "apps/gsan/reproduce_report.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

std::vector<std::vector<std::string>> rows_of(const Json& block, const std::string& plus_minus) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back(concat("mean and sd over ", block["over"].get<std::string>()));
  for (const Json& column : block["columns"]) rows[0].push_back(column.get<std::string>());
  for (const Json& row : block["rows"]) {
    rows.push_back({row["says"].get<std::string>()});
    for (const Json& cell : row["cells"])
      rows.back().push_back(cell.is_null()   ? "-"
                            : cell["n"] == 1 ? shown_number(cell["mean"], nullptr, plus_minus)
                                             : shown_number(cell["mean"], cell["sd"], plus_minus));
  }
  return rows;
}

}  // namespace

Json measure_flaws(int splits) {
  const Manifest build = make_manifest(0);
  Json all{{"commit", build.git_revision},
           {"version", build.gsan},
           {"machine", machine_name()},
           {"date", utc_now()}};
  all["imputation"] = imputation_flaws(std::min(splits, 10));
  all["simplex-prediction"] = simplex_prediction_flaws(splits);
  all["trajectory"] = trajectory_flaws(splits);
  return all;
}

std::string flaws_text(const Json& flaws) {
  std::string text;
  for (const auto& [name, block] : flaws.items()) {
    if (!block.is_object()) continue;
    const auto rows = rows_of(block, "+-");
    Table table(rows.front());
    for (std::size_t r = 1; r < rows.size(); ++r) table.add(rows[r]);
    text += concat(text.empty() ? "" : "\n", name, "\n", table.text());
  }
  return text;
}

fs::path flaws_file(const fs::path& results) { return results / "flaws.json"; }

Json read_flaws(const fs::path& file) {
  std::error_code ignored;
  GSAN_CHECK(fs::exists(file, ignored), "reproduce flaws: there is no ", file.string(),
             " yet; without --report they are measured");
  try {
    return Json::parse(read_file(file));
  } catch (const Json::exception& error) {
    fail(Fault::format, file.string(), ": ", error.what());
  }
}

std::string flaws_markdown(const fs::path& results, const std::string& table) {
  std::error_code ignored;
  if (!fs::exists(flaws_file(results), ignored)) return "(not measured yet)\n";
  const Json flaws = read_flaws(flaws_file(results));
  try {
    return markdown_table(rows_of(flaws.at(table), "±")) +
           concat("\nMeasured at ", flaws.at("commit").get<std::string>(), " on ",
                  flaws.at("date").get<std::string>(), ".\n");
  } catch (const Json::exception& error) {
    fail(Fault::format, flaws_file(results).string(), ": ", error.what());
  }
}

}  // namespace gsan::app
