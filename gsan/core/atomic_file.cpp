#include "gsan/core/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <streambuf>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  fail(Fault::io, "cannot write ", path, ": ", why);
}

// Of the file that is to be replaced. A file system without modes is no reason not to write.
void keep_mode(const fs::path& replaced, int descriptor) {
  struct stat before {};
  if (::stat(replaced.c_str(), &before) == 0) (void)::fchmod(descriptor, before.st_mode & 07777);
}

// "12" of "12.0.tmp", which then is "0.tmp"; false where it does not begin with a number and a dot.
bool skip_number(std::string_view& text) {
  const std::size_t dot = text.find_first_not_of("0123456789");
  if (dot == 0 || dot == std::string_view::npos || text[dot] != '.') return false;
  text.remove_prefix(dot + 1);
  return true;
}

}  // namespace

/// A file descriptor that remembers why a write failed.
class AtomicFile::Buffer : public std::streambuf {
 public:
  explicit Buffer(int descriptor) : descriptor_(descriptor), bytes_(1 << 16) { clear(); }
  ~Buffer() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int error() const { return error_; }

  /// Everything to the disk; false (and error()) when that fails.
  bool close(bool synchronize) {
    sync();
    // EINVAL: pipes and some file systems cannot synchronise, which is not a failure to write.
    if (!error_ && synchronize && (fails_at("atomic_file.sync") || ::fsync(descriptor_) != 0) &&
        errno != EINVAL)
      error_ = errno;
    if (::close(descriptor_) != 0 && !error_) error_ = errno;
    descriptor_ = -1;
    return error_ == 0;
  }

 protected:
  int_type overflow(int_type next) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }
  int sync() override {
    const char* from = pbase();
    while (!error_ && from < pptr()) {
      const ssize_t written = fails_at("atomic_file.write")
                                  ? -1
                                  : ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0) {
        from += written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    clear();
    return error_ ? -1 : 0;
  }

 private:
  void clear() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
  int descriptor_;
  int error_ = 0;
  std::vector<char> bytes_;
};

AtomicFile::AtomicFile(const fs::path& path) : path_(path), stream_(nullptr) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) cannot_write(path, "it is a folder");
  int descriptor = -1;
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (fs::is_symlink(path, ignored)) path_ = fs::weakly_canonical(path);
    for (int attempt = 0; descriptor < 0; ++attempt) {
      temporary_ = path_;
      temporary_ += concat(".", ::getpid(), ".", attempt, ".tmp");
      if (fails_at("atomic_file.open")) break;
      descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor < 0 && errno != EEXIST) break;
    }
  }
  if (descriptor < 0) cannot_write(path, reason(errno));
  if (!temporary_.empty()) keep_mode(path_, descriptor);
  buffer_ = std::make_unique<Buffer>(descriptor);
  stream_.rdbuf(buffer_.get());
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::finish() {
  GSAN_CHECK(buffer_, "AtomicFile: ", path_, " was finished before");
  const bool closed = buffer_->close(!temporary_.empty());
  const int error = buffer_->error();
  stream_.rdbuf(nullptr);
  buffer_.reset();
  if (!closed) cannot_write(path_, reason(error));
}

void AtomicFile::commit() {
  if (buffer_) finish();
  if (temporary_.empty()) return;
  if (fails_at("atomic_file.rename") || ::rename(temporary_.c_str(), path_.c_str()) != 0)
    cannot_write(path_, reason(errno));
  temporary_.clear();
}

bool is_temporary_name(const fs::path& path, std::string_view name) {
  const std::string whole = path.filename().string();
  std::string_view rest = whole;
  if (!rest.starts_with(name) || !rest.substr(name.size()).starts_with('.')) return false;
  rest.remove_prefix(name.size() + 1);
  return skip_number(rest) && skip_number(rest) && rest == "tmp";
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.stream().write(content.data(), static_cast<std::streamsize>(content.size()));
  file.commit();
}

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail(Fault::io, "cannot read ", path, ": it is a folder");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(Fault::io, "cannot read ", path, ": ", reason(errno));
  std::string content;
  for (char piece[1 << 16]; stream.read(piece, sizeof piece) || stream.gcount() > 0;) {
    content.append(piece, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) fail(Fault::io, "cannot read ", path, ": ", reason(errno));
  return content;
}

}  // namespace gsan
