#include "apps/gsan/console/work_line.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>

#include "gsan/core/check.h"
#include "gsan/core/text.h"

namespace gsan::app {
namespace {

constexpr double silent_seconds = 2;
constexpr std::chrono::milliseconds redraw_time(200);

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

WorkLine::WorkLine(std::ostream& stream, const ProgressOptions& terminal)
    : stream_(stream), terminal_(terminal) {
  if (terminal_.terminal) listen_to_long_work(this);
}

WorkLine::~WorkLine() {
  if (!terminal_.terminal) return;
  listen_to_long_work(nullptr);
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    clear();
  }
  ends_.notify_all();
  if (drawing_.joinable()) drawing_.join();
}

void WorkLine::on_begin(const LongWork& work) {
  const std::lock_guard lock(mutex_);
  running_.push_back({&work, now()});
  if (!drawing_.joinable()) start_drawing();
}

// Signals are for the thread that works: whoever blocks or handles them there must get them.
void WorkLine::start_drawing() {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  drawing_ = std::thread([this] { draw_until_end(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkLine::on_end(const LongWork& work) {
  const std::lock_guard lock(mutex_);
  std::erase_if(running_, [&](const Running& running) { return running.work == &work; });
  if (running_.empty()) clear();
}

void WorkLine::draw_until_end() {
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    draw();
    ends_.wait_for(lock, redraw_time);
  }
}

// The innermost work that takes long.
void WorkLine::draw() {
  const double time = now();
  const auto found = std::find_if(running_.rbegin(), running_.rend(), [&](const Running& running) {
    return time - running.began >= silent_seconds;
  });
  if (found == running_.rend()) return;
  const double share = found->work->share(), passed = time - found->began;
  std::string text = found->work->name();
  if (share > 0)
    text +=
        concat("  ", std::lround(100 * share), "%  ", duration_text(passed * (1 - share) / share), " left");
  else
    text += concat("  ", duration_text(passed));
  stream_ << "\r" << first_characters(text, std::max(0, terminal_.columns - 1)) << "\x1b[K" << std::flush;
  is_shown_ = true;
}

void WorkLine::clear() {
  if (is_shown_) stream_ << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace gsan::app
