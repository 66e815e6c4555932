#pragma once

#include <ATen/Parallel.h>

namespace gsan::app {

/// So many threads as long as it lives.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(at::get_num_threads()) { at::set_num_threads(threads); }
  ~ThreadCount() { at::set_num_threads(before_); }
  ThreadCount(const ThreadCount&) = delete;

 private:
  int before_;
};

}  // namespace gsan::app
