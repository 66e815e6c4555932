#include "apps/gsan/runner/sweep_progress.h"

#include <unistd.h>

#include "gsan/core/check.h"

namespace gsan::app {

SweepProgress::SweepProgress(std::ostream& stream, bool quiet, std::size_t total, std::size_t done)
    : stream_(stream), quiet_(quiet), total_(total), before_(done) {
  const ProgressOptions options = progress_options(STDERR_FILENO);
  terminal_ = options.terminal;
  columns_ = options.columns;
  if (!quiet_ && !terminal_ && done > 0)
    stream_ << done << " of " << total << " runs are there already" << std::endl;
}

void SweepProgress::start() {
  ++running_;
  draw();
}

void SweepProgress::end(const std::string& name, const std::string& fault) {
  --running_;
  ++ended_;
  if (!fault.empty()) ++failed_;
  if (quiet_) return;
  clear();
  // On a terminal only what went wrong stays.
  if (!terminal_ || !fault.empty())
    stream_ << name << ": " << (fault.empty() ? "finished" : fault) << " (" << counts() << ")" << std::endl;
  draw();
}

void SweepProgress::draw() {
  if (quiet_ || !terminal_) return;
  std::string line = concat(counts(), ", ", running_, " running");
  if (failed_ > 0) line += concat(", ", failed_, " failed");
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  if (left_ >= 0)
    line += concat(", ", duration_text(left_), " left");
  else if (ended_ > 0)
    line += concat(", ",
                   duration_text(passed.count() / static_cast<double>(ended_) *
                                 static_cast<double>(total_ - before_ - ended_)),
                   " left");
  stream_ << "\r\033[K" << line.substr(0, static_cast<std::size_t>(columns_ > 1 ? columns_ - 1 : 0))
          << std::flush;
}

void SweepProgress::clear() {
  if (!quiet_ && terminal_) stream_ << "\r\033[K" << std::flush;
}

std::string SweepProgress::counts() const { return concat(before_ + ended_, " of ", total_, " runs"); }

}  // namespace gsan::app
