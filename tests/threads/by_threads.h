#pragma once
// parallel_for by threads that ThreadSanitizer sees. torch's own are OpenMP's, whose runtime is not
// instrumented.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gsan::test {

inline bool& is_inside() {
  thread_local bool inside = false;
  return inside;
}

/// Cuts [begin, end) into at most one range per thread, none smaller than the grain, as torch does; a call
/// inside another is serial. What a range throws is thrown once, when all have ended.
template <class Function>
void by_threads(int threads, std::int64_t begin, std::int64_t end, std::int64_t grain,
                const Function& function) {
  if (begin >= end) return;
  const std::int64_t size = end - begin;
  const std::int64_t parts =
      is_inside() ? 1 : std::clamp<std::int64_t>(size / std::max<std::int64_t>(grain, 1), 1, threads);
  if (parts == 1) return function(begin, end);
  const std::int64_t step = (size + parts - 1) / parts;
  std::mutex mutex;
  std::exception_ptr error;
  std::vector<std::thread> pool;
  for (std::int64_t from = begin; from < end; from += step)
    pool.emplace_back([&, from, to = std::min(from + step, end)] {
      is_inside() = true;
      try {
        function(from, to);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
      }
    });
  for (std::thread& thread : pool) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace gsan::test
