#include "apps/gsan/console/output_folder.h"

#include <algorithm>
#include <system_error>

#include "gsan/core/check.h"

namespace gsan::app {
namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path at = path_.has_filename() ? path_ : path_.parent_path();
       !at.empty() && !fs::exists(at, error); at = at.parent_path()) {
    missing.push_back(at);
  }
  std::reverse(missing.begin(), missing.end());
  for (const fs::path& folder : missing) {
    if (fs::create_directory(folder, error)) made_.push_back(folder);
    if (error) break;
  }
  if (!error && !fs::is_directory(path_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) {
    for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back());
    fail(Fault::io, "cannot make the output folder ", path_, ": ", error.message());
  }
}

OutputFolder::~OutputFolder() {
  files_.clear();
  std::error_code ignored;
  for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), ignored);
}

void OutputFolder::add(const std::string& name, std::string_view content) {
  files_.push_back(std::make_unique<AtomicFile>(path_ / name));
  files_.back()->stream().write(content.data(), static_cast<std::streamsize>(content.size()));
}

bool OutputFolder::holds(const std::string& name) const {
  return std::any_of(files_.begin(), files_.end(),
                     [&](const auto& file) { return file->path().filename() == name; });
}

std::vector<std::string> OutputFolder::commit() {
  std::vector<std::string> paths;
  for (const auto& file : files_) file->finish();  // a full disk shows here, before the first rename
  for (const auto& file : files_) {
    file->commit();
    paths.push_back(file->path().string());
  }
  made_.clear();
  return paths;
}

}  // namespace gsan::app
