#include "apps/gsan/console/download_line.h"

#include <iostream>

#include <unistd.h>

#include "gsan/core/text.h"

namespace gsan::app {

DownloadLine::~DownloadLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void DownloadLine::show(std::uint64_t received, std::uint64_t total) {
  if (!::isatty(STDERR_FILENO)) return;
  std::cerr << "\r\033[K" << url_.substr(url_.rfind('/') + 1) << "  " << show_bytes(received);
  if (total > 0) std::cerr << " of " << show_bytes(total);
  std::cerr << std::flush;
  shown_ = true;
}

}  // namespace gsan::app
