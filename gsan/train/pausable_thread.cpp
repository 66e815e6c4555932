#include "gsan/train/pausable_thread.h"

#include <utility>

namespace gsan {

PausableThread::PausableThread() : thread_([this] { run(); }) {}

PausableThread::~PausableThread() {
  cancel();
  is_over_ = true;
  go_.release();
  thread_.join();
}

void PausableThread::run() {
  while (true) {
    go_.acquire();
    if (is_over_) return;
    try {
      work_();
    } catch (const IsCancelled&) {
    } catch (...) {
      error_ = std::current_exception();
    }
    has_ended_ = true;
    back_.release();
  }
}

void PausableThread::start(std::function<void()> work) {
  work_ = std::move(work);
  has_ended_ = false;
  is_cancelled_ = false;
}

bool PausableThread::resume() {
  if (has_ended_) return false;
  go_.release();
  back_.acquire();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return !has_ended_;
}

void PausableThread::pause() {
  back_.release();
  go_.acquire();
  if (is_cancelled_) throw IsCancelled();
}

void PausableThread::cancel() {
  if (has_ended_) return;
  is_cancelled_ = true;
  go_.release();
  back_.acquire();
  error_ = nullptr;
}

}  // namespace gsan
