#include "apps/gsan/runner/run_claims.h"

#include <cerrno>
#include <csignal>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include <unistd.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/ranks/rank_place.h"

#include "apps/gsan/runner/file_lock.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

std::string content_of(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return "";
  try {
    return read_file(file);
  } catch (const Error&) {  // given back meanwhile
    return "";
  }
}

// Claims change hands one at a time.
FileLock turn_in(const fs::path& folder) {
  while (true) {
    if (std::optional<FileLock> lock = FileLock::try_take(folder / ".claims")) return std::move(*lock);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

RunClaims::RunClaims(fs::path folder, std::chrono::milliseconds silence)
    : folder_(std::move(folder)), silence_(silence), owner_(concat(host_name(), " ", ::getpid(), " ")) {}

RunClaims::~RunClaims() {
  while (!held_.empty()) {
    try {
      give_back(held_.begin()->first);
    } catch (const Error&) {  // it falls silent
      return;
    }
  }
}

fs::path RunClaims::file(const std::string& run) const { return folder_ / (run + ".claim"); }

void RunClaims::write(const std::string& run) {
  write_file_atomically(file(run), concat(owner_, ++beats_, "\n"));
}

bool RunClaims::is_own(const std::string& run) const { return content_of(file(run)).starts_with(owner_); }

bool RunClaims::is_lost(const std::string& run, const std::string& claim) {
  std::istringstream words(claim);
  std::string host;
  pid_t process = 0;
  words >> host >> process;
  if (host == host_name() && process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) return true;
  Seen& seen = others_[run];
  if (seen.content != claim) seen = {claim, Clock::now()};
  return Clock::now() - seen.since >= silence_;
}

bool RunClaims::try_take(const std::string& run) {
  const FileLock turn = turn_in(folder_);
  if (const std::string now = content_of(file(run)); !now.empty() && !is_lost(run, now)) return false;
  others_.erase(run);
  write(run);
  held_[run] = true;
  return true;
}

void RunClaims::give_back(const std::string& run) {
  const FileLock turn = turn_in(folder_);
  std::error_code ignored;
  if (is_own(run)) fs::remove(file(run), ignored);
  held_.erase(run);
}

void RunClaims::beat() {
  if (held_.empty() || Clock::now() - last_beat_ < silence_ / 12) return;
  last_beat_ = Clock::now();
  const FileLock turn = turn_in(folder_);
  for (const auto& [run, one] : held_)
    if (is_own(run)) write(run);  // unless this process was silent for so long that somebody took it
}

}  // namespace gsan::app
