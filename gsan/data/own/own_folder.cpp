#include "gsan/data/own/own_folder.h"

#include <algorithm>

#include "gsan/core/atomic_file.h"
#include "gsan/core/config.h"
#include "gsan/core/hash.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/data/formats/text/table.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr const char* settings_file = "dataset.yaml";

std::vector<std::string> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!entry->is_directory(error)) names.push_back(entry->path().filename().string());
  if (error) fail(Fault::io, "cannot read the folder ", folder.string(), ": ", error.message());
  std::sort(names.begin(), names.end());
  return names;
}

// Adds the simplices that a table names in its first columns.
void add_named(ListBuilder& builder, std::string_view bytes, const std::string& source, int order) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, table_delimiter(text));
  const auto width = static_cast<std::size_t>(order) + 1;
  if (!csv.next())
    fail_at(source, 1, 1,
            "the table is empty; let its header begin with v0, v1, ... and give a row per simplex");
  if (csv.fields().front().text != "v0")
    csv.fail_at(
        csv.fields().front(),
        "there is no file complex.*, so this table must name its simplices: let its header begin with "
        "v0, v1, ..., or add the complex (docs/own-data.md)");
  const std::size_t header = csv.fields().front().line;
  bool any = false;
  while (csv.next()) {
    any = true;
    if (csv.fields().size() <= width)
      csv.fail_at(csv.fields().front(), "expected ", width, " vertices and a value, got ",
                  csv.fields().size(), " fields");
    for (std::size_t i = 0; i < width; ++i) builder.add(csv.fields()[i].text);
    builder.end_simplex(csv.fields().front().line);
  }
  if (!any)
    fail_at(
        source, header, 1,
        "below the header there is no row, and without a file complex.* there are no simplices; give a row "
        "per simplex, with an empty value where it is unknown");
}

}  // namespace

OwnFolder::OwnFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (!fs::is_directory(path_, error))
    fail(Fault::io, "cannot read ", path_.string(), ": there is no such folder; docs/own-data.md shows one");
  const fs::path plain = fs::absolute(path_).lexically_normal();
  name_ = (plain.has_filename() ? plain : plain.parent_path()).filename().string();
  read_settings();
}

void OwnFolder::read_settings() {
  if (!find({settings_file})) return;
  ConfigSchema schema;
  schema.add("name", "", "what the data are called in records")
      .add("order", std::int64_t{-1}, "order of the simplices that carry the signals", at_least(-1))
      .add("oriented", "automatic", "does a value change its sign with the order of the vertices?",
           one_of({"automatic", "true", "false", "yes", "no"}));
  const Config config = parse_config(schema, read(settings_file), source(settings_file));
  if (const auto& name = config.get<std::string>("name"); !name.empty()) name_ = name;
  if (const auto order = config.get<std::int64_t>("order"); order >= 0) order_ = static_cast<int>(order);
  if (const auto& oriented = config.get<std::string>("oriented"); oriented != "automatic")
    oriented_ = oriented == "true" || oriented == "yes";
}

std::optional<std::string> OwnFolder::find(const std::vector<std::string>& names) const {
  std::optional<std::string> found;
  for (const std::string& name : names) {
    if (!fs::exists(path_ / name)) continue;
    if (found)
      fail(Fault::format, path_.string(), ": there are both ", *found, " and ", name,
           "; only one may be there, take the other away");
    found = name;
  }
  return found;
}

std::string OwnFolder::read(const std::string& file) {
  std::string bytes = read_file(path_ / file);
  hashes_.emplace_back(source(file), sha256_hex(bytes));
  return bytes;
}

std::vector<int> OwnFolder::orders_of(const std::string& stem) const {
  std::vector<int> orders;
  const std::string begin = stem + "_";
  for (const std::string& file : files_in(path_)) {
    const fs::path name(file);
    if (!file.starts_with(begin) || (name.extension() != ".csv" && name.extension() != ".npy")) continue;
    const std::string number = name.stem().string().substr(begin.size());
    const auto order = parse_integer(number);
    if (!order || *order < 0 || *order > 1000 || std::to_string(*order) != number)
      fail(Fault::format, source(file), ": expected ", begin,
           "K.csv with the order K of the simplices (0: vertices, 1: edges, ...), got K = '", number, "'");
    orders.push_back(static_cast<int>(*order));
  }
  std::sort(orders.begin(), orders.end());
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  return orders;
}

std::vector<std::string> OwnFolder::complex_files() const {
  std::vector<std::string> found;
  for (const std::string& file : files_in(path_))
    if (file == "complex" || file.starts_with("complex.")) found.push_back(file);
  return found;
}

ListedComplex OwnFolder::read_complex() {
  const std::vector<std::string> found = complex_files();
  if (found.empty())
    fail(Fault::io, path_.string(),
         ": there is no file complex.*; put the simplices there, for instance complex.txt with the vertices "
         "of "
         "one simplex a line (docs/own-data.md)");
  if (found.size() > 1)
    fail(Fault::format, path_.string(), ": there are both ", found[0], " and ", found[1],
         "; only one may be there, take the other away");
  const std::string bytes = read(found[0]);
  return detect_format(source(found[0]), bytes).parse(bytes, source(found[0]), {}).listed;
}

ListedComplex OwnFolder::read_complex_or_tables(const std::vector<std::string>& stems) {
  if (has_complex()) return read_complex();
  ListBuilder builder(path_.string(), "line");
  bool any = false;
  for (const std::string& stem : stems) {
    for (const int order : orders_of(stem)) {
      const std::string file = concat(stem, "_", order, ".csv");
      if (!find({file})) continue;
      add_named(builder, read_file(path_ / file), source(file), order);
      any = true;
    }
  }
  return any ? builder.build(Repeats::merge, {}) : read_complex();
}

}  // namespace gsan
