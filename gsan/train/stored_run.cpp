#include "gsan/train/stored_run.h"

#include "gsan/core/atomic_file.h"
#include "gsan/train/manifest.h"
#include "gsan/train/resumed_settings.h"
#include "gsan/train/run_folder.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

// Where the folder of own data is now, if it has moved together with the run; else nothing.
std::optional<fs::path> moved_data(const fs::path& run, const Manifest& manifest) {
  if (manifest.data_folder.empty()) return std::nullopt;
  const fs::path folder = (fs::weakly_canonical(fs::absolute(run)) / manifest.data_folder).lexically_normal();
  std::error_code error;
  return fs::is_directory(folder, error) ? std::optional(folder) : std::nullopt;
}

bool is_gone(const DataSettings& data) {
  std::error_code error;
  return !data.path.empty() && !fs::is_directory(data.path, error);
}

}  // namespace

fs::path split_file(const fs::path& run) { return run / "splits" / "split.json"; }

void require_data(const fs::path& run, const DataSettings& data) {
  if (is_gone(data))
    fail(
        Fault::io, run.string(), " was trained on the folder ", data.path,
        ", which is not there any more, nor at the same place seen from the run; bring it back, or name data "
        "of the same kind with --data FOLDER (eval, predict)");
}

void require_same_data(const fs::path& run, const Task& task, const DataHashes& data) {
  Manifest now;
  now.data = data;
  std::string text;
  for (const std::string& difference : data_differences(read_manifest(run / "manifest.json"), now))
    text += "\n  " + difference;
  GSAN_CHECK(text.empty(), run.string(), ": the data are not those of the run any more:", text,
             "\nBring the old files back; or take the new ones as other data (eval and predict: --data "
             "FOLDER), or begin a new run.");
  GSAN_CHECK(!fs::exists(split_file(run)) || RunFolder::is_split(read_file(split_file(run)), task.parts()),
             split_file(run).string(),
             " is not the split that the settings of the run give now: a file that "
             "split.file names was changed, or the run is of another version of gsan; begin a new run");
}

RunSettings read_run_settings(const fs::path& path, const std::vector<std::string>& changes) {
  GSAN_CHECK(fs::exists(path / "manifest.json"), path.string(),
             " holds no run: there is no manifest.json in it; `gsan train` makes one");
  // A run of another version is refused as such, not for its keys.
  const Manifest manifest = read_manifest(path / "manifest.json");
  const fs::path config = path / "config.yaml";
  RunSettings settings = resumed_settings(path, config, changes);
  if (!is_gone(settings.task.data)) return settings;
  const auto moved = moved_data(path, manifest);
  if (!moved) return settings;
  return resumed_settings(path, config, changes, concat("data.path=", to_text(ConfigValue(moved->string()))));
}

}  // namespace gsan
