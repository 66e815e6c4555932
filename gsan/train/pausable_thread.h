#pragma once
// Work that can wait in its middle while its caller does something else.

#include <exception>
#include <functional>
#include <semaphore>
#include <thread>

namespace gsan {

/// A thread that runs only inside resume(): of several such threads and their caller one runs at a time, in
/// the order in which the caller resumes them.
class PausableThread {
 public:
  PausableThread();
  ~PausableThread();
  PausableThread(const PausableThread&) = delete;

  /// What resume() is to run next. Earlier work must have ended.
  void start(std::function<void()> work);
  /// Until the work pauses, true, or ends, false. What it throws comes out here.
  bool resume();
  /// Ends work that has paused: its pause() throws what is no std::exception.
  void cancel();

  /// For the work itself.
  void pause();

 private:
  struct IsCancelled {};
  void run();
  std::function<void()> work_;
  std::binary_semaphore go_{0}, back_{0};
  bool has_ended_ = true, is_cancelled_ = false, is_over_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace gsan
