#include "apps/gsan/console/stop_signal.h"

#include <csignal>

#include <unistd.h>

#include "apps/gsan/console/exit_code.h"

namespace gsan::app {
namespace {

std::atomic<bool> is_asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // what a signal handler may use

extern "C" void ask_to_stop(int) {
  if (is_asked_to_stop.exchange(true)) ::_exit(static_cast<int>(ExitCode::interrupted));
}

}  // namespace

const std::atomic<bool>& catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return is_asked_to_stop;
}

}  // namespace gsan::app
