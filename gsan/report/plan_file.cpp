#include "gsan/report/plan_file.h"

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/json_number.h"
#include "gsan/core/json_text.h"
#include "gsan/core/options.h"

namespace gsan::report {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& object, const char* key) { return object.value(key, std::string()); }

Texts texts_of(const Json& object, const char* key) { return object.value(key, Json::array()).get<Texts>(); }

int seeds_of(const Json& value) { return whole_number<int>(value, "tables.json", "seeds"); }

Over over_of(const Json& object) {
  Over over;
  for (const auto& [key, values] : object.items()) {
    over.emplace_back(key, Texts{});
    for (const Json& value : values) over.back().second.push_back(value.dump());
  }
  return over;
}

ColumnSource column_of(const Json& object) {
  ColumnSource column{.name = text_of(object, "name"),
                      .paper = text_of(object, "paper"),
                      .set = texts_of(object, "set"),
                      .seeds = {},
                      .over = {},
                      .words = {}};
  if (object.contains("seeds")) column.seeds = seeds_of(object["seeds"]);
  if (object.contains("over")) column.over = over_of(object["over"]);
  for (const auto& [key, value] : object.items())
    if (value.is_string()) column.words.emplace(key, value.get<std::string>());
  return column;
}

RowSource row_of(const Json& object) {
  return {.name = text_of(object, "name"),
          .paper = text_of(object, "paper"),
          .config = text_of(object, "config"),
          .rule = text_of(object, "rule"),
          .variant_of = text_of(object, "variant_of"),
          .set = texts_of(object, "set"),
          .columns = texts_of(object, "columns"),
          .other_protocol = texts_of(object, "other_protocol")};
}

ProtocolSource protocol_of(const Json& object) {
  ProtocolSource plan{.says = text_of(object, "says"),
                      .curve = text_of(object, "curve"),
                      .seeds = object.contains("seeds") ? seeds_of(object["seeds"]) : 1,
                      .over = over_of(object.value("over", Json::object())),
                      .set = texts_of(object, "set"),
                      .columns = {},
                      .blocks = {}};
  for (const Json& column : object.at("columns")) plan.columns.push_back(column_of(column));
  for (const Json& block : object.at("blocks")) {
    BlockSource made{text_of(block, "name"), text_of(block, "paper"), texts_of(block, "set"), {}, {}};
    if (block.contains("seeds")) made.seeds = seeds_of(block["seeds"]);
    for (const Json& row : block.contains("rows") ? block["rows"] : object.at("rows"))
      made.rows.push_back(row_of(row));
    plan.blocks.push_back(std::move(made));
  }
  return plan;
}

Target target_of(const Json& object) {
  Target target{.says = object.at("says").get<std::string>(),
                .table = object.at("table").get<std::string>(),
                .protocol = parse_enum<Protocol>(object.at("protocol").get<std::string>(), "protocol"),
                .rows = texts_of(object, "rows"),
                .columns = texts_of(object, "columns"),
                .blocks = texts_of(object, "blocks"),
                .at_least = {},
                .above = texts_of(object, "above"),
                .within_one_sd_of = texts_of(object, "within_one_sd_of")};
  if (!object.contains("at_least")) return target;
  target.at_least_printed = object["at_least"] == "printed";
  if (!target.at_least_printed) object["at_least"].get_to(target.at_least);
  return target;
}

}  // namespace

TablesFile read_tables(const fs::path& experiments) {
  const fs::path file = experiments / "tables.json";
  std::error_code ignored;
  GSAN_CHECK(fs::exists(file, ignored), "reproduce: there is no ", file.string(),
             "; run it in the folder of the repository or give --experiments FOLDER");
  try {
    const Json json = Json::parse(checked_json(read_file(file), file.string()));
    TablesFile tables;
    for (const auto& [name, object] : json.at("tables").items()) {
      TableSource table{name, text_of(object, "title"), text_of(object, "metric"), {}};
      for (const Protocol protocol : {Protocol::strict, Protocol::published})
        table.protocols.emplace(protocol, protocol_of(object.at(std::string(name_of(protocol)))));
      tables.tables.push_back(std::move(table));
    }
    for (const Json& target : json.value("targets", Json::array()))
      tables.targets.push_back(target_of(target));
    tables.same_work = texts_of(json, "same_work");
    return tables;
  } catch (const Json::exception& error) {
    fail(Fault::format, file.string(), " is not a list of tables: ", json_reason(error.what()));
  }
}

}  // namespace gsan::report
