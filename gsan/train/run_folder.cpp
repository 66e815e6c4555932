#include "gsan/train/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"
#include "gsan/core/make_folder.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool holds_run(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / "manifest.json", ignored);
}

constexpr const char* made_key = "made";  // of a split: what made it
constexpr const char* parts_of_run[] = {"checkpoints", "splits", "tensorboard"};

// Names that a run writes through temporary ones, and names that a checkpoint has before its own.
constexpr const char* written_names[] = {"config.yaml",
                                         "manifest.json",
                                         "metrics.jsonl",
                                         "metrics.csv",
                                         "classes.json",
                                         "results.json",
                                         "report.txt",
                                         "split.json",
                                         "best.safetensors",
                                         "best.safetensors.new",
                                         "last.safetensors",
                                         "last.safetensors.new",
                                         "events.out.tfevents.gsan"};
constexpr const char* unfinished_names[] = {"best.safetensors.new", "best.safetensors.previous.new",
                                            "last.safetensors.new", "last.safetensors.previous.new"};

bool is_leftover(const fs::path& path) {
  return std::any_of(std::begin(written_names), std::end(written_names),
                     [&](const char* name) { return is_temporary_name(path, name); }) ||
         std::any_of(std::begin(unfinished_names), std::end(unfinished_names),
                     [&](const char* name) { return path.filename() == name; });
}

// What a process that was killed while it wrote left behind; nobody else writes here (the lock). Only names
// that a run gives: whatever else lies in the folder belongs to its user.
void remove_leftovers(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> leftovers;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (is_leftover(entry.path())) leftovers.push_back(entry.path());
  for (const fs::path& path : leftovers) fs::remove(path, ignored);
}

// Files of the user's in a folder that is not a run, which one would replace. A run that ended before it was
// one left its config alone.
void refuse_to_overwrite(const fs::path& folder, const std::string& config) {
  std::error_code ignored;
  const fs::path of_config = folder / "config.yaml";
  if (fs::exists(of_config, ignored) && read_file(of_config) != config)
    fail(Fault::argument, "RunFolder::create: ", of_config, " is there already; choose another folder");
  for (const char* name :
       {"metrics.jsonl", "metrics.csv", "classes.json", "results.json", "report.txt", "splits/split.json",
        "checkpoints/best.safetensors", "checkpoints/last.safetensors"})
    if (fs::exists(folder / name, ignored))
      fail(Fault::argument, "RunFolder::create: ", folder / name,
           " is there already, though the folder is not a run; choose another folder");
}

}  // namespace

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      manifest_(std::move(other.manifest_)),
      session_began_(other.session_began_),
      epoch_ends_(std::move(other.epoch_ends_)),
      metrics_(std::move(other.metrics_)),
      events_(std::move(other.events_)) {}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

RunFolder RunFolder::locked(const fs::path& path) {
  const fs::path file = path / ".lock";
  const int lock =
      fails_at("run_folder.lock") ? -1 : ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) fail(Fault::io, "cannot write ", file, ": ", std::generic_category().message(errno));
  RunFolder folder(path, lock);
  // A file system without locks (ENOLCK, EOPNOTSUPP) is no reason not to train.
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    fail(Fault::argument, "RunFolder: another process is working in ", path,
         "; wait for it or choose another folder");
  for (const char* part : parts_of_run) make_folder(path / part);
  return folder;
}

RunFolder RunFolder::create(const fs::path& path, const Manifest& manifest, const std::string& config) {
  GSAN_CHECK(!holds_run(path), "RunFolder::create: ", path,
             " holds a run already; resume it or choose another folder");
  make_folder(path);
  refuse_to_overwrite(path, config);
  RunFolder folder = locked(path);
  folder.manifest_ = manifest;
  write_file_atomically(folder.config_file(), config);
  write_manifest(folder.manifest_file(), manifest);
  return folder;
}

RunFolder RunFolder::open(const fs::path& path) {
  GSAN_CHECK(holds_run(path), "RunFolder::open: ", path, " holds no run: there is no manifest.json in it");
  RunFolder folder = locked(path);
  folder.manifest_ = read_manifest(folder.manifest_file());
  remove_leftovers(path);
  for (const char* part : parts_of_run) remove_leftovers(path / part);
  return folder;
}

void RunFolder::write_split(const std::string& name, const Parts& parts, const std::string& made) const {
  GSAN_CHECK(!name.empty() && name.find('/') == std::string::npos, "RunFolder::write_split: '", name,
             "' is no file name");
  ordered_json object = ordered_json::object();
  for (const auto& [part, items] : parts) object[part] = items;
  object[made_key] = made;
  write_file_atomically(path_ / "splits" / (name + ".json"),
                        object.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

bool RunFolder::is_split(const std::string& text, const Parts& parts) {
  ordered_json object = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return false;
  object.erase(made_key);
  return object.size() == parts.size() && std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
           return object.contains(part.first) && object[part.first] == ordered_json(part.second);
         });
}

void RunFolder::change_settings(const std::string& config, const std::vector<SettingChange>& changes) {
  for (const char* name : {"results.json", "report.txt"}) {
    std::error_code error;
    fs::remove(path_ / name, error);
    if (error) fail(Fault::io, "cannot remove ", path_ / name, ": ", error.message());
  }
  for (const SettingChange& change : changes) {
    const bool is_listed =
        std::any_of(manifest_.changes.begin(), manifest_.changes.end(), [&](const SettingChange& known) {
          return known.key == change.key && known.from == change.from && known.to == change.to &&
                 known.epochs == change.epochs;  // by a process that was killed before it wrote the config
        });
    if (!is_listed) manifest_.changes.push_back(change);
  }
  write_manifest(manifest_file(), manifest_);
  write_file_atomically(config_file(), config);
}

std::string RunFolder::begin_session(std::int64_t epoch) {
  metrics_.reset();
  events_.reset();
  const std::int64_t kept = cut_metrics(metrics_file(), epoch);
  cut_events(events_file(), epoch);
  metrics_ = std::make_unique<MetricsLog>(metrics_file());
  events_ = std::make_unique<EventWriter>(events_file());
  if (manifest_.started.empty()) manifest_.started = utc_now();
  manifest_.ended.clear();
  manifest_.status = "running";
  ++manifest_.sessions;
  session_began_ = steady_seconds();
  epoch_ends_.clear();
  write_manifest(manifest_file(), manifest_);
  if (kept >= epoch) return {};
  return concat(metrics_file().string(), " lacks ", epoch - kept, " of the ", epoch,
                " epochs so far: the curves of this run will have a gap; its weights are complete");
}

void RunFolder::add_epoch(const EpochMetrics& metrics) {
  GSAN_CHECK(metrics_ && events_, "RunFolder::add_epoch: no session was begun");
  metrics_->append(metrics);
  events_->add(metrics.epoch + 1, seconds_since_1970(), metrics.values);
  epoch_ends_.push_back(steady_seconds());
}

void RunFolder::synchronize() {
  GSAN_CHECK(metrics_, "RunFolder::synchronize: no session was begun");
  metrics_->synchronize();
}

void RunFolder::end_session(const std::string& status) {
  manifest_.ended = utc_now();
  manifest_.status = status;
  manifest_.seconds += steady_seconds() - session_began_;
  if (epoch_ends_.size() > 1) {
    manifest_.later_epochs += static_cast<int>(epoch_ends_.size()) - 1;
    manifest_.later_seconds += epoch_ends_.back() - epoch_ends_.front();
  }
  write_metrics_csv(path_ / "metrics.csv", read_metrics(metrics_file()));
  write_manifest(manifest_file(), manifest_);
  metrics_.reset();
  events_.reset();
}

}  // namespace gsan
