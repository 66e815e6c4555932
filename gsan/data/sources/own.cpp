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
OpenedData<Data> open_own(const std::string& path, const AnyOptions& options,
                          Data (*read)(OwnFolder&, Arguments...), Arguments... arguments) {
  GSAN_CHECK(!path.empty(),
             "data.path is missing: data of your own are in a folder, data.path=FOLDER or --data FOLDER "
             "(docs/own-data.md)");
  OwnFolder folder(path, options.as<OwnSettings>());
  Data data = read(folder, arguments...);
  folder.refuse_unread();
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
  const bool is_tu = !path.empty() && is_tu_folder(path);
  source.options = is_tu ? AnyOptions(TuSettings{}) : AnyOptions(OwnSettings{});
  if (std::error_code error; fs::is_directory(path, error)) {
    const OwnFolder folder(path);
    source.oriented = folder.declared_orientation();
    source.title = folder.name();
  }
  source.signals = [path](const AnyOptions& options, int) {
    return open_own(path, options, read_own_signals);
  };
  source.values = [path](const AnyOptions& options, bool, int) {
    return open_own(path, options, read_own_values);
  };
  source.classes = [path](const AnyOptions& options) { return open_own(path, options, read_own_classes); };
  source.targets = [path](const AnyOptions& options) { return open_own(path, options, read_own_targets); };
  source.complexes = [path, is_tu](const AnyOptions& options) {
    return is_tu ? open_tu(path, hashes_in(path), options.as<TuSettings>())
                 : open_own(path, options, read_own_complexes);
  };
  source.candidates = [path](const AnyOptions& options, int order) {
    return open_own(path, options, read_own_candidates, order);
  };
  return source;
}

std::vector<DataSource> own_sources() { return {own_source("")}; }

}  // namespace gsan
