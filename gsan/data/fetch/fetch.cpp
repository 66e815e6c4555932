#include "gsan/data/fetch/fetch.h"

#include <cerrno>
#include <deque>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"
#include "gsan/core/hash.h"
#include "gsan/core/make_folder.h"
#include "gsan/data/fetch/part_file.h"
#include "gsan/data/fetch/zip.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

/// One process at a time: an advisory lock on FOLDER/.lock, which the system frees with the process. (Of a
/// file, not of the folder: network file systems only lock what is open for writing.)
class FolderLock {
 public:
  FolderLock(const fs::path& folder, const std::function<void()>& waiting) {
    const fs::path path = folder / ".lock";
    descriptor_ = fails_at("fetch.lock") ? -1 : ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int error = descriptor_ < 0 ? errno : lock(LOCK_EX | LOCK_NB);
    if (error == EWOULDBLOCK) {
      if (waiting) waiting();
      error = lock(LOCK_EX);
    }
    if (error == 0) return;
    if (descriptor_ >= 0) ::close(descriptor_);
    fail(Fault::io, "cannot lock ", path, ": ", std::generic_category().message(error));
  }
  ~FolderLock() { ::close(descriptor_); }
  FolderLock(FolderLock&&) = delete;

 private:
  int lock(int operation) {
    while (::flock(descriptor_, operation) != 0)
      if (errno != EINTR) return errno;
    return 0;
  }
  int descriptor_;
};

std::string file_name(const std::string& url) { return url.substr(url.rfind('/') + 1); }

std::string address(const std::string& url, const std::string& from) {
  if (from.empty()) return url;
  return from + (from.ends_with('/') ? "" : "/") + file_name(url);
}

void check_sum(const std::string& what, const std::string& sum, const std::string& wanted) {
  if (sum != wanted)
    fail(Fault::format, what, " is not the file of the catalog: its SHA-256 is ", sum, ", it must be ",
         wanted);
}

/// Downloads into the part file and lets `accept` judge the content (Fault::format: wrong). Wrong content is
/// thrown away, and fetched once more where its beginning was left from an earlier time.
template <class Accept>
void bring(const std::string& url, PartFile& part, std::uint64_t max_bytes, bool complete,
           const FetchOptions& options, const Accept& accept) {
  for (;; complete = false) {
    bool continued = complete;
    try {
      if (!complete) continued = download(url, part, max_bytes, options.download);
      return accept();
    } catch (const Error& error) {
      if (error.fault() != Fault::format) throw;
      part.clear();
      if (continued) continue;
      part.remove();
      throw;
    }
  }
}

void bring_file(const std::string& url, const FileReport& wanted, const FetchOptions& options) {
  make_folder(wanted.path.parent_path());
  PartFile part(wanted.path);
  bring(url, part, wanted.file.size, part.size() == wanted.file.size, options, [&] {
    check_sum(url, sha256_file(part.path()), wanted.file.sha256);
    part.promote();
  });
}

// Only the members that are wanted are unpacked, to the paths of the catalog.
void unpack(const ZipArchive& archive, const std::string& url, const std::vector<FileReport>& wanted) {
  std::deque<PartFile> unpacked;
  for (const FileReport& file : wanted) {
    make_folder(file.path.parent_path());
    PartFile& part = unpacked.emplace_back(file.path);
    part.clear();
    Sha256 sum;
    try {
      archive.extract(archive.member(file.file.member), file.file.size, [&](std::string_view bytes) {
        sum.update(bytes);
        part.append(bytes);
      });
      check_sum(concat(file.file.member, " in ", url), sum.hex(), file.file.sha256);
    } catch (...) {
      for (PartFile& made : unpacked) made.remove();
      throw;
    }
  }
  for (PartFile& part : unpacked) part.promote();
}

void bring_archive(const std::string& url, const fs::path& folder, const std::vector<FileReport>& wanted,
                   std::uint64_t max_bytes, const FetchOptions& options) {
  PartFile part(folder / file_name(url));
  bring(url, part, max_bytes, false, options,
        [&] { unpack(ZipArchive(read_file(part.path()), url), url, wanted); });
  part.remove();
}

// The files that are not verified, those of one archive together.
std::vector<std::vector<FileReport>> downloads(const DatasetReport& report) {
  std::vector<std::vector<FileReport>> groups;
  for (const FileReport& file : report.files) {
    if (file.state == FileState::verified) continue;
    const bool joins =
        !groups.empty() && !file.file.member.empty() && groups.back()[0].file.url == file.file.url;
    if (!joins) groups.emplace_back();
    groups.back().push_back(file);
  }
  return groups;
}

void bring_missing(const Dataset& dataset, const DatasetReport& report, const FetchOptions& options) {
  for (const std::vector<FileReport>& group : downloads(report)) {
    const std::string url = address(group[0].file.url, options.from);
    if (options.starting) options.starting(url);
    if (group[0].file.member.empty()) {
      bring_file(url, group[0], options);
    } else {
      // An archive is smaller than what it holds; it may hold more than is wanted.
      const std::uint64_t max_bytes = 2 * dataset.size() + (1 << 20);
      bring_archive(url, report.folder, group, max_bytes, options);
    }
  }
}

}  // namespace

DatasetReport fetch(const Dataset& dataset, const DataCache& cache, const FetchOptions& options) {
  GSAN_CHECK(options.from.empty() || options.from.starts_with("https://"),
             "--from: the address of a mirror must begin with https://, got '", options.from, "'");
  DatasetReport report = cache.inspect(dataset);
  if (report.is_complete()) return report;
  try {
    make_folder(report.folder);
    const FolderLock lock(report.folder, options.waiting);
    report = cache.inspect(dataset);
    if (!report.is_complete()) bring_missing(dataset, report, options);
  } catch (const Error& error) {
    fail(error.fault(), error.what(), "\nWithout a download, ", how_to_place(cache.inspect(dataset)));
  }
  return cache.inspect(dataset);
}

}  // namespace gsan
