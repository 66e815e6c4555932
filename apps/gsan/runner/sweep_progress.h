#pragma once
// How many runs go, for people: one line over all runs on a terminal, a line per run elsewhere.

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include "gsan/train/progress.h"

namespace gsan::app {

class SweepProgress {
 public:
  /// `done` of `total` runs were finished before.
  SweepProgress(std::ostream& stream, bool quiet, std::size_t total, std::size_t done);

  void start();
  /// `fault`: empty for a run that finished, else what to say of it.
  void end(const std::string& name, const std::string& fault);
  void expect(double seconds) {
    left_ = seconds;
  }              ///< what is left takes so long; else the mean of those that ended
  void draw();   ///< the line, on a terminal
  void clear();  ///< takes it away

 private:
  std::string counts() const;
  std::ostream& stream_;
  bool quiet_, terminal_;
  int columns_;
  double left_ = -1;
  std::size_t total_, before_, running_ = 0, ended_ = 0, failed_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace gsan::app
