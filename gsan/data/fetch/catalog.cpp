#include "gsan/data/fetch/catalog.h"

#include <algorithm>
#include <set>

#include "gsan/core/check.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"
#include "gsan/data/fetch/catalog_json.h"
#include "gsan/data/fetch/detail/plain_path.h"

namespace gsan {

extern const char* const catalog_text;  // catalog.json, by CMake

namespace {

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::uint64_t Dataset::size() const {
  std::uint64_t sum = 0;
  for (const DatasetFile& file : files) sum += file.size;
  return sum;
}

void Dataset::validate() const {
  const auto demand = [this](bool holds, const auto&... parts) {
    if (!holds) fail(Fault::format, "dataset '", name, "': ", parts...);
  };
  demand(is_plain_path(name) && name.find('/') == std::string::npos, "its name must be one word");
  demand(is_plain_path(folder), "its folder must be a relative path without '..', got '", folder, "'");
  demand(!files.empty(), "it has no files");
  std::set<std::string> paths;
  for (const DatasetFile& file : files) {
    // .part is the name of a download on its way.
    demand(is_plain_path(file.path) && !file.path.ends_with(".part"),
           "a file needs a relative path without '..' that does not end in .part, got '", file.path, "'");
    demand(paths.insert(file.path).second, "the file '", file.path, "' is listed twice");
    demand(is_sha256(file.sha256), file.path, ": a SHA-256 has 64 digits of 0-9 and a-f, got '", file.sha256,
           "'");
    demand(file.size > 0, file.path, ": its size must be positive");
    demand(file.url.starts_with("https://"), file.path, ": its address must begin with https://, got '",
           file.url, "'");
    demand(is_plain_path(file.url.substr(file.url.rfind('/') + 1)), file.path,
           ": its address must end with the name of a file, got '", file.url, "'");
    demand(file.member.empty() || is_plain_path(file.member), file.path,
           ": a member of an archive needs a relative path without '..', got '", file.member, "'");
  }
}

const std::vector<Dataset>& catalog() {
  static const std::vector<Dataset> datasets = parse_catalog(catalog_text, "catalog.json");
  return datasets;
}

const Dataset& find_dataset(std::string_view name, std::span<const Dataset> datasets) {
  const auto found = std::find_if(datasets.begin(), datasets.end(), [&](const Dataset& dataset) {
    return lower_case(dataset.name) == lower_case(name);
  });
  if (found != datasets.end()) return *found;
  std::vector<std::string> names;
  for (const Dataset& dataset : datasets) names.push_back(dataset.name);
  const std::string nearest = nearest_word(lower_case(name), names);
  fail(Fault::argument, "no dataset is called '", name, "'",
       nearest.empty() ? "" : concat("; did you mean '", nearest, "'?"), " (gsan data list shows all)");
}

std::vector<Dataset> find_datasets(std::span<const std::string> names, std::span<const Dataset> datasets) {
  std::vector<Dataset> found;
  for (const std::string& name : names) {
    const Dataset& dataset = find_dataset(name, datasets);
    const auto same = [&](const Dataset& other) { return other.name == dataset.name; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(dataset);
  }
  return found;
}

}  // namespace gsan
