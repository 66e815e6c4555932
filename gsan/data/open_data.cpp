#include "gsan/data/open_data.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/data/citation.h"
#include "gsan/data/fetch/cache.h"
#include "gsan/data/flow.h"
#include "gsan/data/ocean.h"
#include "gsan/data/own/own_data.h"
#include "gsan/data/transformed.h"
#include "gsan/data/tu.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

// Imputation on the published orders 0 … 5, each with its cofaces: one entry of the cache for all of them.
constexpr int least_citation_order = 6;

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

[[noreturn]] void no_such_data(const std::string& what, const DataSettings& settings,
                               const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  fail(Fault::argument, "data.name: '", settings.name, "' is no dataset of ", what,
       list.empty() ? "" : concat("; there are ", list),
       "; data of your own stand in a folder: data.path=FOLDER, or --data FOLDER (docs/own-data.md)");
}

/// A dataset of the catalog that is here: its folder and the sums of its files, which are verified.
struct Published {
  fs::path folder;
  DataHashes hashes;
};

Published require(const std::string& name) {
  const Dataset& dataset = find_dataset(name);
  Published published{DataCache::standard().require(dataset), {}};
  for (const DatasetFile& file : dataset.files)
    published.hashes.emplace_back(dataset.folder + "/" + file.path, file.sha256);
  return published;
}

template <class Data>
OpenedData<Data> open_own(const DataSettings& settings, Data (*read)(OwnFolder&)) {
  OwnFolder folder(settings.path);
  Data data = read(folder);
  return {std::move(data), folder.hashes()};
}

bool is_tu(const Dataset& dataset) { return dataset.folder.starts_with("tu/"); }

ComplexDataset lifted(const fs::path& folder, const DataSettings& settings, const DataHashes& hashes) {
  TuOptions options;
  options.max_order = settings.max_order;
  return transformed<ComplexDataset>("tu", concat("max_order=", options.max_order, ", edges=mean_of_ends"),
                                     hashes, [&] { return read_tu_dataset(folder, options); });
}

DataHashes hashes_in(const fs::path& folder) {
  DataHashes hashes;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".txt")
      hashes.emplace_back(entry.path().string(), sha256_file(entry.path()));
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace

OpenedData<SignalDataset> open_signals(const DataSettings& settings, int signals) {
  if (!settings.path.empty()) return open_own(settings, read_own_signals);
  const std::string name = lower(settings.name);
  if (name == "flow") {
    GSAN_CHECK(settings.seed >= 0, "data.seed must be at least 0, got ", settings.seed);
    FlowOptions options{settings.points, signals, static_cast<std::uint64_t>(settings.seed)};
    const std::string made_of =
        concat("points=", options.points, ", signals=", options.signals, ", seed=", options.seed);
    return {synthetic_flow(options), {{"flow: " + made_of, sha256_hex(made_of)}}};
  }
  if (name != "ocean") no_such_data("signals", settings, {"flow", "ocean"});
  const Published published = require("ocean");
  return {read_ocean(published.folder / "dataBuoys.jld2"), published.hashes};
}

OpenedData<ValueDataset> open_values(const DataSettings& settings, bool by_position, int order) {
  if (!settings.path.empty()) return open_own(settings, read_own_values);
  if (lower(settings.name) != "citation") no_such_data("values", settings, {"citation"});
  const Published published = require("citation");
  const int max_order = std::max({settings.max_order, least_citation_order, order + 1});
  CitationDataset citation = transformed<CitationDataset>(
      "citation", concat("max_order=", max_order), published.hashes,
      [&] { return read_citation(published.folder / "150250_cochains.npy", max_order); });
  if (!by_position) return {std::move(citation.data), published.hashes};
  ValueDataset data;
  data.name = citation.data.name;
  data.complex = std::move(citation.data.complex);
  data.values = std::move(citation.published_values);
  return {std::move(data), published.hashes};
}

OpenedData<ValueDataset> open_classes(const DataSettings& settings) {
  if (settings.path.empty()) no_such_data("classes on simplices", settings, {});
  return open_own(settings, read_own_classes);
}

OpenedData<ComplexDataset> open_complexes(const DataSettings& settings) {
  if (!settings.path.empty()) {
    if (!is_tu_folder(settings.path)) return open_own(settings, read_own_complexes);
    DataHashes hashes = hashes_in(settings.path);
    return {lifted(settings.path, settings, hashes), hashes};
  }
  std::vector<std::string> names;
  for (const Dataset& dataset : catalog())
    if (is_tu(dataset)) names.push_back(dataset.name);
  if (std::find(names.begin(), names.end(), lower(settings.name)) == names.end())
    no_such_data("labelled complexes", settings, names);
  const Published published = require(settings.name);
  return {lifted(published.folder, settings, published.hashes), published.hashes};
}

OpenedData<CandidateDataset> open_candidates(const DataSettings& settings, int order) {
  if (settings.path.empty()) no_such_data("candidates", settings, {});
  OwnFolder folder(settings.path);
  CandidateDataset data = read_own_candidates(folder, order);
  return {std::move(data), folder.hashes()};
}

}  // namespace gsan
