#include "gsan/data/fetch/cache.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

FileReport look_at(const DatasetFile& file, const fs::path& path) {
  FileReport report{.file = file, .path = path};
  std::error_code error;
  const bool exists = fs::exists(path, error);
  if (error) fail(Fault::io, "cannot access ", path, ": ", error.message());
  if (!exists) return report;
  report.sha256 = sha256_file(path);
  report.state = report.sha256 == file.sha256 ? FileState::verified : FileState::different;
  return report;
}

DatasetReport look_in(const fs::path& place, const Dataset& dataset) {
  DatasetReport report{.folder = place / dataset.folder, .files = {}};
  for (const DatasetFile& file : dataset.files)
    report.files.push_back(look_at(file, report.folder / file.path));
  return report;
}

}  // namespace

fs::path cache_root() {
  if (const fs::path home = from_environment("GSAN_HOME"); !home.empty()) return fs::absolute(home);
  // The XDG specification wants a relative path to be ignored.
  if (const fs::path xdg = from_environment("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "gsan";
  const fs::path home = from_environment("HOME");
  GSAN_CHECK(
      !home.empty(),
      "cannot choose a cache folder: none of GSAN_HOME, XDG_CACHE_HOME and HOME is set; set one of them");
  return fs::absolute(home) / ".cache" / "gsan";
}

const char* name_of(FileState state) {
  switch (state) {
    case FileState::missing:
      return "missing";
    case FileState::different:
      return "different";
    case FileState::verified:
      return "verified";
  }
  return "";
}

bool DatasetReport::is_complete() const {
  return std::all_of(files.begin(), files.end(),
                     [](const FileReport& file) { return file.state == FileState::verified; });
}

bool DatasetReport::is_absent() const {
  return std::all_of(files.begin(), files.end(),
                     [](const FileReport& file) { return file.state == FileState::missing; });
}

const char* DatasetReport::state() const {
  if (is_complete()) return "verified";
  if (is_absent()) return "missing";
  const bool differs = std::any_of(files.begin(), files.end(),
                                   [](const FileReport& file) { return file.state == FileState::different; });
  return differs ? "different" : "incomplete";
}

DataCache::DataCache(fs::path folder, std::vector<fs::path> read_only)
    : folder_(std::move(folder)), read_only_(std::move(read_only)) {}

DataCache DataCache::standard(std::vector<fs::path> read_only) {
  const std::string folders = from_environment("GSAN_DATA").string();
  for (std::size_t at = 0; at < folders.size();) {
    const std::size_t colon = std::min(folders.find(':', at), folders.size());
    if (colon > at) read_only.push_back(fs::absolute(folders.substr(at, colon - at)));
    at = colon + 1;
  }
  return DataCache(cache_root() / "data", std::move(read_only));
}

DatasetReport DataCache::inspect(const Dataset& dataset) const {
  DatasetReport own = look_in(folder_, dataset);
  if (own.is_complete()) return own;
  for (const fs::path& place : read_only_) {
    DatasetReport report = look_in(place, dataset);
    if (report.is_complete()) return report;
  }
  return own;
}

fs::path DataCache::require(const Dataset& dataset) const {
  const DatasetReport report = inspect(dataset);
  if (report.is_complete()) return report.folder;
  const bool damaged = std::any_of(report.files.begin(), report.files.end(),
                                   [](const FileReport& file) { return file.state == FileState::different; });
  fail(damaged ? Fault::format : Fault::io, "dataset '", dataset.name, "' ",
       damaged ? "differs from the catalog" : "is missing", "; run 'gsan data fetch ", dataset.name, "', or ",
       how_to_place(report));
}

std::string how_to_place(const DatasetReport& report) {
  std::string text = "put these files in place:";
  for (const FileReport& file : report.files) {
    if (file.state == FileState::verified) continue;
    text += concat("\n  ", file.path.string(), "\n    from ", file.file.url,
                   file.file.member.empty() ? "" : concat(", member ", file.file.member), "\n    SHA-256 ",
                   file.file.sha256);
    if (file.state == FileState::different) text += concat("\n    found   ", file.sha256);
  }
  return text;
}

}  // namespace gsan
