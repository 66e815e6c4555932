#pragma once
// Child processes, runs of this very program or others, a few at a time.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gsan::app {

struct ChildProcess {
  std::vector<std::string> arguments;  ///< of the command, without its own name
  std::filesystem::path errors;        ///< file for its standard error; its standard output is thrown away
  std::string program{};               ///< the path of another program; empty: this one
  std::chrono::seconds most_time{0};   ///< past it, the child and all that it has started are killed; 0: none
  /// NAME=value, beside those of this process. A child trains by itself unless they say otherwise: what says
  /// which rank this process is (gsan/ranks/rank_place.h) does not reach it.
  std::vector<std::string> environment{};
  bool keeps_streams = false;  ///< its standard streams are those of this process
};

struct PoolOptions {
  int at_once = 1;
  std::function<bool(std::size_t child)> may_start{};  ///< asked right before each; false: it is left out
  std::function<void(std::size_t child)> on_start{};
  std::function<void(std::size_t child, int code)>
      on_end{};                     ///< the exit code; 128 + signal when one ended it
  std::function<void()> on_tick{};  ///< a few times a second
  /// Children need each other: once one has failed, the others end by themselves within that time, or are
  /// killed; 0: they are left alone.
  std::chrono::seconds grace{0};
};

/// Runs them all, in order, without a shell. On SIGINT or SIGTERM no further child is started, those that run
/// get SIGTERM once and are waited for (a second signal: SIGKILL); returns false then. Children are in
/// process groups of their own, so Ctrl-C reaches them only from here, and end with this process however it
/// ends.
bool run_children(const std::vector<ChildProcess>& children, const PoolOptions& options);

/// What a child said when it failed, from its standard error: the command's message, without its name.
std::string child_error(const std::string& errors, int code);

/// Cores that this process may use.
int usable_cores();

}  // namespace gsan::app
