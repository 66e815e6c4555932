#pragma once
// A disk that is full: while it lives, no file of this process may grow beyond `bytes`.

#include <csignal>

#include <sys/resource.h>

namespace gsan {

class FileSizeLimit {
 public:
  explicit FileSizeLimit(unsigned long bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(FileSizeLimit&&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace gsan
