#pragma once
// Where data come from. A source is a file of this folder that defines NAME_sources(), and a row of
// registry.cpp; a public one also has an entry in fetch/catalog.json. A collection in the TU text format
// needs its entry alone (tu.cpp).
//
//   std::vector<DataSource> rivers_sources() {
//     DataSource source{.name = "rivers", .what = find_dataset("rivers").what, .options = RiversSettings{}};
//     source.signals = [](const AnyOptions& options, int) -> OpenedData<SignalDataset> {
//       const CatalogFiles files = require_files("rivers");
//       return {read_rivers(files.folder, options.as<RiversSettings>().basin), files.hashes};
//     };
//     return {source};
//   }

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gsan/core/any_options.h"
#include "gsan/data/datasets.h"
#include "gsan/data/opened_data.h"

namespace gsan {

enum class DataKind { signals, values, classes, targets, complexes, candidates };

template <>
struct EnumNames<DataKind> {
  static constexpr std::pair<DataKind, std::string_view> names[] = {
      {DataKind::signals, "signals"},
      {DataKind::values, "values"},
      {DataKind::classes, "classes on simplices"},
      {DataKind::targets, "targets on simplices"},
      {DataKind::complexes, "labelled complexes"},
      {DataKind::candidates, "candidates"}};
};

struct DataSource {
  std::string name;      ///< lower case
  std::string what;      ///< one line
  AnyOptions options{};  ///< its own keys of the section `data`, with their defaults
  bool needs_path = false;
  std::string title{};  ///< of a folder: what records call it (`name:` of dataset.yaml, else the folder's)
  /// Whether its signals change sign with the direction of their simplices; nothing: as the task has it.
  std::optional<bool> oriented{};

  // One function per kind of data that it has; the others are empty. Each gets options of the type above.
  // data/open_data.h says what the other arguments mean.
  std::function<OpenedData<SignalDataset>(const AnyOptions&, int signals)> signals{};
  std::function<OpenedData<ValueDataset>(const AnyOptions&, bool by_position, int order)> values{};
  std::function<OpenedData<ValueDataset>(const AnyOptions&)> classes{};
  std::function<OpenedData<ValueDataset>(const AnyOptions&)> targets{};
  std::function<OpenedData<ComplexDataset>(const AnyOptions&)> complexes{};
  std::function<OpenedData<CandidateDataset>(const AnyOptions&, int order)> candidates{};

  bool has(DataKind kind) const;
};

/// In the order of the registry.
const std::vector<DataSource>& data_sources();
/// Of those that need no path.
std::vector<std::string> source_names();

/// With a path: the user's folder, whatever its name. Else the source of that name, upper or lower case; an
/// unknown one is an error with the nearest name.
DataSource find_source(const std::string& name, const std::string& path);
/// The same; one without that kind of data is an error with the names that have it.
DataSource find_source(const std::string& name, const std::string& path, DataKind kind);

}  // namespace gsan
