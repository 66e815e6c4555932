#include "gsan/data/fetch/catalog_json.h"

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_text.h"
#include "gsan/core/quoted.h"

namespace gsan {
namespace {

using Json = nlohmann::json;

DatasetFile file_of(const Json& json) {
  const Json& size = json.at("size");
  if (!size.is_number_unsigned()) fail(Fault::format, "size must be a number of bytes, got ", size.dump());
  return {.path = json.at("path").get<std::string>(),
          .sha256 = json.at("sha256").get<std::string>(),
          .size = size.get<std::uint64_t>(),
          .url = json.at("url").get<std::string>(),
          .member = json.value("member", "")};
}

Dataset dataset_of(const Json& json) {
  Dataset dataset{.name = json.at("name").get<std::string>(),
                  .what = json.value("what", ""),
                  .folder = json.at("folder").get<std::string>(),
                  .terms = json.value("terms", ""),
                  .citation = json.value("citation", ""),
                  .files = {}};
  for (const Json& file : json.at("files")) dataset.files.push_back(file_of(file));
  dataset.validate();
  return dataset;
}

}  // namespace

std::vector<Dataset> parse_catalog(std::string_view text, const std::string& source) {
  checked_json(text, source);
  std::vector<Dataset> datasets;
  std::set<std::string> names;
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || !json.contains("datasets"))
      fail(Fault::format, "expected an object with 'datasets'");
    for (const Json& entry : json.at("datasets")) {
      datasets.push_back(dataset_of(entry));
      const std::string& name = datasets.back().name;
      if (!names.insert(name).second) fail(Fault::format, "dataset ", in_quotes(name), " is listed twice");
    }
  } catch (const Json::exception& error) {
    fail(Fault::format, source, ": ", json_reason(error.what()));
  } catch (const Error& error) {
    fail(error.fault(), source, ": ", error.what());
  }
  return datasets;
}

std::vector<Dataset> read_catalog(const std::filesystem::path& path) {
  return parse_catalog(read_file(path), path.string());
}

}  // namespace gsan
