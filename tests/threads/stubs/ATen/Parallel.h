#pragma once
// In the place of torch's: threads that ThreadSanitizer sees. torch's own are OpenMP's, whose runtime is not
// instrumented.

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace at {

constexpr int stub_threads = 4;

inline int get_num_threads() { return stub_threads; }

/// Cuts [begin, end) into at most one range per thread, none smaller than the grain, as torch does.
template <class Function>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Function& function) {
  if (begin >= end) return;
  const std::int64_t size = end - begin;
  const std::int64_t parts =
      std::clamp<std::int64_t>(size / std::max<std::int64_t>(grain, 1), 1, stub_threads);
  const std::int64_t step = (size + parts - 1) / parts;
  std::vector<std::thread> threads;
  for (std::int64_t from = begin; from < end; from += step)
    threads.emplace_back([&function, from, to = std::min(from + step, end)] { function(from, to); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace at
