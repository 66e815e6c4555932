#pragma once
// What a run was made with: manifest.json of a run folder.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gsan {

/// Of run folders: their config, files and weights. Format 1 was that of gsan 0.1.
inline constexpr int run_format = 2;

/// A setting that was changed when the run was resumed.
struct SettingChange {
  std::string key{}, from{}, to{};
  int epochs = 0;      ///< that the run had done by then
  std::string time{};  ///< UTC, ISO 8601
};

/// The weights that a run began with in the place of random ones; no path: random ones.
struct WeightsOrigin {
  std::string path{}, sha256{};
};

struct Manifest {
  // Of the build.
  std::string gsan, torch, compiler;
  std::string git_revision;  ///< of the source when it was built; empty: unknown
  // Of the run.
  std::uint64_t seed = 0;
  int threads = 1;
  std::string device = "cpu";
  std::vector<std::pair<std::string, std::string>> data{};  ///< file or name → SHA-256
  WeightsOrigin first_weights{};
  std::string data_folder{};  ///< own data: their folder seen from that of the run, if both move; or empty
  // Of its course.
  std::string status = "created";  ///< created, running, finished, interrupted, failed
  std::string started, ended;      ///< UTC, ISO 8601; `ended` is empty while it runs
  int sessions = 0;                ///< how often it was started or resumed
  double seconds = 0;              ///< of the sessions that ended by themselves
  /// Epochs of those sessions but the first of each, which also makes what is made once.
  int later_epochs = 0;
  double later_seconds = 0;
  std::vector<SettingChange> changes{};  ///< in the order in which they were made
};

/// Of this build and process, with torch's number of threads.
Manifest make_manifest(std::uint64_t seed);

void write_manifest(const std::filesystem::path& path, const Manifest& manifest);

/// Fault::format when it is none, or that of a run of another format: the sentence says which version wrote
/// it.
Manifest read_manifest(const std::filesystem::path& path);

/// "SHA-256 of a.csv: 12ab… then, none now" for each file that is not the same in both. Files that lie in
/// another folder than before, all of them, are the same.
std::vector<std::string> data_differences(const Manifest& recorded, const Manifest& now);

/// What else keeps a resumed run from being bit for bit the recorded one: "threads: 2 then, 4 now", …
std::vector<std::string> differences(const Manifest& recorded, const Manifest& now);

/// "2026-01-31T12:00:00Z"
std::string utc_now();

}  // namespace gsan
