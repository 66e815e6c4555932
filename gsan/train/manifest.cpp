#include "gsan/train/manifest.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_number.h"
#include "gsan/core/json_text.h"

namespace gsan {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

// Place of a file below the folder that holds all of them → its name and sum.
std::map<std::string, std::pair<std::string, std::string>> by_place(const Manifest& manifest) {
  std::string common = manifest.data.empty() ? "" : manifest.data.front().first;
  for (const auto& entry : manifest.data) {
    const auto differs = std::mismatch(common.begin(), common.end(), entry.first.begin(), entry.first.end());
    common.erase(differs.first, common.end());
  }
  const std::size_t folder = common.rfind('/') == common.npos ? 0 : common.rfind('/') + 1;
  std::map<std::string, std::pair<std::string, std::string>> places;
  for (const auto& entry : manifest.data) places.emplace(entry.first.substr(folder), entry);
  return places;
}

}  // namespace

void write_manifest(const fs::path& path, const Manifest& manifest) {
  ordered_json data = ordered_json::object();
  for (const auto& [name, hash] : manifest.data) data[name] = hash;
  ordered_json origin = nullptr, changes = ordered_json::array();
  if (const WeightsOrigin& from = manifest.first_weights; !from.path.empty())
    origin = {{"path", from.path}, {"sha256", from.sha256}};
  for (const SettingChange& change : manifest.changes)
    changes.push_back({{"key", change.key},
                       {"from", change.from},
                       {"to", change.to},
                       {"epochs", change.epochs},
                       {"time", change.time}});
  ordered_json object = {{"format", run_format},
                         {"gsan", manifest.gsan},
                         {"torch", manifest.torch},
                         {"compiler", manifest.compiler},
                         {"git_revision", manifest.git_revision},
                         {"seed", manifest.seed},
                         {"threads", manifest.threads},
                         {"device", manifest.device},
                         {"data_sha256", data},
                         {"first_weights", origin},
                         {"status", manifest.status},
                         {"started", manifest.started},
                         {"ended", manifest.ended},
                         {"sessions", manifest.sessions},
                         {"seconds", manifest.seconds},
                         {"later_epochs", manifest.later_epochs},
                         {"later_seconds", manifest.later_seconds},
                         {"changes", changes}};
  if (!manifest.data_folder.empty()) object["data_folder"] = manifest.data_folder;
  write_file_atomically(path, object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

Manifest read_manifest(const fs::path& path) {
  const std::string source = path.string();
  try {
    const ordered_json object = ordered_json::parse(checked_json(read_file(path), source));
    Manifest manifest;
    object.at("gsan").get_to(manifest.gsan);
    if (const int format = whole_number_or(object, "format", 1, source); format != run_format)
      fail(Fault::format, source, ": a run of format ", format, ", which gsan ", manifest.gsan,
           " wrote; this is gsan ", GSAN_VERSION, ", which reads format ", run_format,
           ": train it again, or use the version that wrote it");
    object.at("torch").get_to(manifest.torch);
    object.at("compiler").get_to(manifest.compiler);
    object.at("git_revision").get_to(manifest.git_revision);
    manifest.seed = whole_number<std::uint64_t>(object.at("seed"), source, "seed");
    manifest.threads = whole_number<int>(object.at("threads"), source, "threads");
    object.at("device").get_to(manifest.device);
    for (const auto& [name, hash] : object.at("data_sha256").items())
      manifest.data.emplace_back(name, hash.get<std::string>());
    object.at("status").get_to(manifest.status);
    object.at("started").get_to(manifest.started);
    object.at("ended").get_to(manifest.ended);
    manifest.sessions = whole_number<int>(object.at("sessions"), source, "sessions");
    object.at("seconds").get_to(manifest.seconds);
    // Not in folders of before they were written.
    manifest.later_epochs = whole_number_or(object, "later_epochs", 0, source);
    manifest.later_seconds = object.value("later_seconds", 0.0);
    if (const ordered_json from = object.value("first_weights", ordered_json()); !from.is_null())
      manifest.first_weights = {from.at("path").get<std::string>(), from.at("sha256").get<std::string>()};
    for (const ordered_json& change : object.value("changes", ordered_json::array()))
      manifest.changes.push_back({change.at("key").get<std::string>(), change.at("from").get<std::string>(),
                                  change.at("to").get<std::string>(),
                                  whole_number<int>(change.at("epochs"), source, "epochs of a change"),
                                  change.at("time").get<std::string>()});
    manifest.data_folder = object.value("data_folder", "");
    return manifest;
  } catch (const ordered_json::exception& error) {
    fail(Fault::format, source, ": no manifest of a run: ", json_reason(error.what()));
  }
}

std::vector<std::string> differences(const Manifest& recorded, const Manifest& now) {
  std::vector<std::string> all;
  const auto compare = [&](const std::string& what, const auto& then, const auto& today) {
    if (then != today) all.push_back(concat(what, ": ", then, " then, ", today, " now"));
  };
  compare("gsan", recorded.gsan, now.gsan);
  compare("torch", recorded.torch, now.torch);
  compare("compiler", recorded.compiler, now.compiler);
  compare("git revision", recorded.git_revision, now.git_revision);
  compare("seed", recorded.seed, now.seed);
  compare("threads", recorded.threads, now.threads);
  compare("device", recorded.device, now.device);
  return all;
}

std::vector<std::string> data_differences(const Manifest& recorded, const Manifest& now) {
  const auto then = by_place(recorded), today = by_place(now);
  std::set<std::string> places;
  for (const auto* of : {&then, &today})
    for (const auto& entry : *of) places.insert(entry.first);
  std::vector<std::string> all;
  for (const std::string& place : places) {
    const auto before = then.find(place), after = today.find(place);
    const std::string old_sum = before == then.end() ? "none" : before->second.second;
    const std::string new_sum = after == today.end() ? "none" : after->second.second;
    if (old_sum != new_sum)
      all.push_back(concat("SHA-256 of ", (after == today.end() ? before : after)->second.first, ": ",
                           old_sum, " then, ", new_sum, " now"));
  }
  return all;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace gsan
