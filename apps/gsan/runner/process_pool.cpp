#include "apps/gsan/runner/process_pool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <map>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"
#include "gsan/ranks/rank_place.h"

namespace gsan::app {
namespace {

using Clock = std::chrono::steady_clock;

// Blocks the signals that the pool waits for, as long as it lives. A signal that the caller ignores (nohup)
// stays ignored.
class WaitedSignals {
 public:
  WaitedSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    for (const int number : {SIGINT, SIGTERM}) {
      struct sigaction now {};
      ::sigaction(number, nullptr, &now);
      if (now.sa_handler != SIG_IGN) sigaddset(&set_, number);
    }
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;  // an ignored SIGCHLD would take the exit codes away
    ::sigaction(SIGCHLD, &standard, &child_before_);
    ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~WaitedSignals() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    ::sigaction(SIGCHLD, &child_before_, nullptr);
  }
  WaitedSignals(const WaitedSignals&) = delete;

  /// The next signal, or 0 when there was none for a while.
  int next() const {
    const timespec pause{.tv_sec = 0, .tv_nsec = 250'000'000};
    const int number = ::sigtimedwait(&set_, nullptr, &pause);
    return number > 0 ? number : 0;
  }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t set_, before_;
  struct sigaction child_before_ {};
};

std::vector<std::string> environment_for(const ChildProcess& child) {
  std::vector<std::string> variables;
  for (char** one = ::environ; one != nullptr && *one != nullptr; ++one)
    if (!says_rank(*one)) variables.emplace_back(*one);
  variables.insert(variables.end(), child.environment.begin(), child.environment.end());
  return variables;
}

// As exec() takes them; they point into the texts.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start(const ChildProcess& child, const sigset_t& mask) {
  // Everything that allocates comes before fork().
  const char* program = child.program.empty() ? "/proc/self/exe" : child.program.c_str();
  std::vector<std::string> words{child.program.empty() ? "gsan" : child.program};
  words.insert(words.end(), child.arguments.begin(), child.arguments.end());
  const std::vector<std::string> variables = environment_for(child);
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  const int errors = fails_at("process_pool.errors") ? -1
                     : child.keeps_streams
                         ? ::fcntl(2, F_DUPFD_CLOEXEC, 3)
                         : ::open(child.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (errors < 0)
    fail(Fault::io, "cannot write ", child.errors, ": ", std::generic_category().message(errno));
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t parent = ::getpid();
  const pid_t id = fails_at("process_pool.fork") ? -1 : ::fork();
  if (id == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    ::dup2(nothing, 0);
    if (!child.keeps_streams) ::dup2(nothing, 1);
    ::dup2(errors, 2);
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    ::execve(program, arguments.data(), environment.data());
    ::_exit(127);
  }
  const int reason = errno;
  ::close(errors);
  if (nothing >= 0) ::close(nothing);
  if (id < 0) fail(Fault::resource, "cannot start a process: ", std::generic_category().message(reason));
  return id;
}

// The children that run, by process id.
class Running {
 public:
  ~Running() {  // children are left only when an error is on its way
    send(SIGTERM);
    for (const auto& [id, child] : children_) ::waitpid(id, nullptr, 0);
  }
  void add(pid_t id, std::size_t child, std::chrono::seconds most_time) {
    children_.emplace(
        id, Child{child, most_time.count() > 0 ? Clock::now() + most_time : Clock::time_point::max()});
  }
  std::size_t count() const { return children_.size(); }
  void send(int signal) const {
    for (const auto& [id, child] : children_) ::kill(id, signal);
  }
  /// All of them by then, at the latest.
  void end_by(Clock::time_point deadline) {
    for (auto& [id, child] : children_) child.deadline = std::min(child.deadline, deadline);
  }
  void kill_late() const {
    for (const auto& [id, child] : children_)
      if (Clock::now() > child.deadline) ::kill(-id, SIGKILL);
  }
  /// Calls ended(child, code) for those that have ended.
  template <class Ended>
  void collect(Ended&& ended) {
    for (auto at = children_.begin(); at != children_.end();) {
      int status = 0;
      if (::waitpid(at->first, &status, WNOHANG) != at->first) {
        ++at;
        continue;
      }
      const std::size_t child = at->second.number;
      at = children_.erase(at);
      ended(child, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
  }

 private:
  struct Child {
    std::size_t number;
    Clock::time_point deadline;
  };
  std::map<pid_t, Child> children_;
};

}  // namespace

bool run_children(const std::vector<ChildProcess>& children, const PoolOptions& options) {
  const WaitedSignals signals;
  Running running;
  int stops = 0;
  for (std::size_t next = 0; (stops == 0 && next < children.size()) || running.count() > 0;) {
    while (stops == 0 && next < children.size() &&
           running.count() < static_cast<std::size_t>(options.at_once)) {
      if (options.may_start && !options.may_start(next)) {
        ++next;
        continue;
      }
      if (options.on_start) options.on_start(next);
      running.add(start(children[next], signals.before()), next, children[next].most_time);
      ++next;
    }
    if (running.count() == 0) continue;  // all that were left have been left out
    const int number = signals.next();
    if (number == SIGINT || number == SIGTERM) running.send(++stops == 1 ? SIGTERM : SIGKILL);
    running.kill_late();
    running.collect([&](std::size_t child, int code) {
      if (code != 0 && options.grace.count() > 0) {
        running.end_by(Clock::now() + options.grace);
        next = children.size();
      }
      if (options.on_end) options.on_end(child, code);
    });
    if (options.on_tick) options.on_tick();
  }
  return stops == 0;
}

std::string child_error(const std::string& errors, int code) {
  std::string text = errors;
  if (const std::size_t at = text.rfind("gsan: "); at != std::string::npos) text = text.substr(at + 6);
  text.erase(text.find_last_not_of(" \n") + 1);
  if (text.empty()) text = code > 128 ? concat("ended by signal ", code - 128) : "no message";
  return concat(text, " (exit code ", code, ")");
}

int usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace gsan::app
