#include "gsan/data/own/own_folder.h"

#include <algorithm>
#include <iterator>

#include "gsan/core/atomic_file.h"
#include "gsan/core/config.h"
#include "gsan/core/hash.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/gzip.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/text/benson.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/data/formats/text/table.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr const char* settings_file = "dataset.yaml";
constexpr const char* any_complex = "complex.*";
constexpr std::string_view points_file = "points.csv";
constexpr std::string_view benson_counts = "-nverts.txt";

std::vector<std::string> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!entry->is_directory(error)) names.push_back(entry->path().filename().string());
  if (error) fail(Fault::io, "cannot read the folder ", folder.string(), ": ", error.message());
  std::sort(names.begin(), names.end());
  return names;
}

// Files that nobody needs to read.
bool is_free(const std::string& file) {
  const std::string name = lower_case(file);
  return name.starts_with(".") || name.starts_with("readme") || name.starts_with("license") ||
         name.ends_with(".md") || name.starts_with("split") || name.starts_with("parts.");
}

// Adds the simplices that a table names in its first columns.
void add_named(ListBuilder& builder, std::string_view bytes, const std::string& source, int order) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, table_delimiter(text));
  const auto width = static_cast<std::size_t>(order) + 1;
  if (!csv.next())
    fail_at(source, 1, 1,
            "the table is empty; let its header begin with v0, v1, ... and give a row per simplex");
  if (key_columns(csv.fields(), width) == 0)
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

OwnFolder::OwnFolder(fs::path path, const OwnSettings& settings)
    : path_(std::move(path)), settings_(settings) {
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

std::optional<std::string> OwnFolder::find(const std::vector<std::string>& names) {
  std::optional<std::string> found;
  for (const std::string& name : names) {
    asked_.insert(name);
    for (const std::string& file : {name, name + ".gz"}) {
      if (!fs::exists(path_ / file)) continue;
      if (found)
        fail(Fault::format, path_.string(), ": there are both ", *found, " and ", file,
             "; only one may be there, take the other away");
      found = file;
    }
  }
  return found;
}

std::string OwnFolder::bytes_of(const std::string& file) {
  read_.insert(file);
  return unpacked(read_file(path_ / file), source(file));
}

std::string OwnFolder::read(const std::string& file) {
  read_.insert(file);
  std::string bytes = read_file(path_ / file);
  hashes_.emplace_back(source(file), sha256_hex(bytes));
  return unpacked(std::move(bytes), source(file));
}

std::vector<int> OwnFolder::orders_of(const std::string& stem) {
  stems_.insert(stem);
  std::vector<int> orders;
  const std::string begin = stem + "_";
  for (const std::string& file : files_in(path_)) {
    const fs::path name(without_gz(file));
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
    if (file == "complex" || file.starts_with("complex.") || without_gz(file).ends_with(benson_counts) ||
        (settings_.needs_points() && without_gz(file) == points_file))
      found.push_back(file);
  return found;
}

ListedComplex OwnFolder::read_complex() {
  asked_.insert(any_complex);
  const std::vector<std::string> found = complex_files();
  if (found.empty())
    fail(Fault::io, path_.string(),
         ": there is no file complex.*; put the simplices there, for instance complex.txt with the vertices "
         "of one simplex a line (docs/own-data.md)");
  if (found.size() > 1)
    fail(Fault::format, path_.string(), ": there are both ", found[0], " and ", found[1],
         "; only one may be there, take the other away");
  const auto read_it = [&] {
    if (is_benson_file(path_ / found[0]))
      return parse_benson(
          find_benson(path_ / found[0]),
          [this](const fs::path& path) { return read(path.filename().string()); }, settings_.reading());
    const std::string bytes = read(found[0]), name = source(found[0]);
    const ComplexFormat& format =
        without_gz(found[0]) == points_file ? complex_format("points") : detect_format(name, bytes);
    return format.parse(bytes, name, settings_.reading());
  };
  return lifted(read_it(), settings_, source(found[0]));
}

ListedComplex OwnFolder::read_complex_or_tables(const std::vector<std::string>& stems) {
  asked_.insert(any_complex);
  if (has_complex()) return read_complex();
  ListBuilder builder(path_.string(), "line");
  bool any = false;
  for (const std::string& stem : stems) {
    for (const int order : orders_of(stem)) {
      const auto file = find({concat(stem, "_", order, ".csv")});
      if (!file) continue;
      add_named(builder, bytes_of(*file), source(*file), order);
      any = true;
    }
  }
  if (!any) return read_complex();
  return lifted({builder.build(Repeats::merge, settings_.reading()), {}}, settings_, path_.string());
}

// Of the tables those with the orders that the misspelt name may mean.
std::vector<std::string> OwnFolder::known_names(const std::string& like) const {
  std::vector<std::string> names(asked_.begin(), asked_.end());
  std::set<char> orders{'0', '1', '2', '3'};
  std::copy_if(like.begin(), like.end(), std::inserter(orders, orders.end()),
               [](char c) { return c >= '0' && c <= '9'; });
  for (const std::string& stem : stems_)
    for (const char order : orders)
      for (const char* extension : {".csv", ".npy"}) names.push_back(concat(stem, "_", order, extension));
  if (!asked_.contains(any_complex)) return names;
  for (const ComplexFormat& format : complex_formats())
    for (const std::string_view extension : format.extensions) names.push_back(concat("complex", extension));
  names.insert(names.end(), {"complex.txt", "complex.csv"});
  return names;
}

void OwnFolder::refuse_unread() const {
  // What comes with a log of timestamped simplices: PREFIX-node-labels.txt beside PREFIX-nverts.txt.
  std::vector<std::string> prefixes;
  for (const std::string& file : read_)
    if (const std::size_t at = file.find("-nverts.txt"); at != file.npos)
      prefixes.push_back(file.substr(0, at + 1));
  const auto is_companion = [&](const std::string& file) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const std::string& prefix) { return file.starts_with(prefix); });
  };
  for (const std::string& file : files_in(path_)) {
    if (read_.contains(file) || is_free(file) || is_companion(file)) continue;
    std::set<std::string> known;
    for (const std::string& stem : stems_) known.insert(stem + "_K.csv");
    std::copy_if(asked_.begin(), asked_.end(), std::inserter(known, known.end()), [&](const auto& name) {
      return std::none_of(stems_.begin(), stems_.end(),
                          [&](const std::string& stem) { return name.starts_with(stem + "_"); });
    });
    fail(Fault::format, source(file), ": this task does not read this file; did you mean ",
         nearest_word(without_gz(file), known_names(file)), "? It reads ", joined(known),
         ". Rename the file or move it out of the folder; README*, LICENSE*, *.md, split*, parts.*, hidden "
         "files and "
         "sub-folders may stay (docs/own-data.md)");
  }
}

}  // namespace gsan
