#include "gsan/data/sources/own.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/data/own/own_data.h"
#include "gsan/data/sources/tu.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

template <class Data, class... Arguments>
OpenedData<Data> open_own(const std::string& path, Data (*read)(OwnFolder&, Arguments...),
                          Arguments... arguments) {
  GSAN_CHECK(!path.empty(),
             "data.path is missing: data of your own are in a folder, data.path=FOLDER or --data FOLDER "
             "(docs/own-data.md)");
  OwnFolder folder(path);
  Data data = read(folder, arguments...);
  return {std::move(data), folder.hashes()};
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

DataSource own_source(const std::string& path) {
  DataSource source{
      .name = "own", .what = "a folder of your own data (docs/own-data.md)", .needs_path = true};
  if (std::error_code error; !path.empty() && (is_tu_folder(path) || !fs::is_directory(path, error)))
    source.options = TuSettings{};
  if (std::error_code error; fs::is_directory(path, error))
    source.oriented = OwnFolder(path).declared_orientation();
  source.signals = [path](const AnyOptions&, int) { return open_own(path, read_own_signals); };
  source.values = [path](const AnyOptions&, bool, int) { return open_own(path, read_own_values); };
  source.classes = [path](const AnyOptions&) { return open_own(path, read_own_classes); };
  source.targets = [path](const AnyOptions&) { return open_own(path, read_own_targets); };
  source.complexes = [path](const AnyOptions& options) {
    return is_tu_folder(path) ? open_tu(path, hashes_in(path), options.as<TuSettings>())
                              : open_own(path, read_own_complexes);
  };
  source.candidates = [path](const AnyOptions&, int order) {
    return open_own(path, read_own_candidates, order);
  };
  return source;
}

std::vector<DataSource> own_sources() { return {own_source("")}; }

}  // namespace gsan
