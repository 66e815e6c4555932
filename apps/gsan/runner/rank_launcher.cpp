#include "apps/gsan/runner/rank_launcher.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/ranks/rank_watch.h"
#include "gsan/ranks/ranks.h"

#include "apps/gsan/runner/process_pool.h"

namespace gsan::app {
namespace {

constexpr const char *processes_option = "--processes", *restarts_option = "--max-restarts";

// The words of this process without its name and without those two.
std::vector<std::string> words_of_ranks() {
  std::istringstream all(read_file("/proc/self/cmdline"));
  std::vector<std::string> words;
  std::string word;
  std::getline(all, word, '\0');
  while (std::getline(all, word, '\0')) {
    if (word == processes_option || word == restarts_option)
      std::getline(all, word, '\0');  // its value
    else if (!word.starts_with(std::string(processes_option) + "=") &&
             !word.starts_with(std::string(restarts_option) + "="))
      words.push_back(word);
  }
  return words;
}

struct Attempt {
  bool is_interrupted = false;
  int code = 0;  // of the first rank that failed
};

// "rank 1 on node7 was ended by signal 9", for the other ranks; empty where all of them end.
std::string fault_of(std::size_t rank, int code) {
  if (code == 0 || code == static_cast<int>(ExitCode::interrupted)) return "";
  const std::string name = rank_name(static_cast<int>(rank), host_name());
  return code > 128 ? concat(name, " was ended by signal ", code - 128)
                    : concat(name, " has ended with exit code ", code);
}

Attempt run_once(const std::vector<std::string>& words, const RankOptions& options, int restarts) {
  const RankServer store;
  RankPlace place{.size = options.processes, .port = store.port(), .has_agent = true, .restarts = restarts};
  std::vector<ChildProcess> ranks;
  for (int r = 0; r < options.processes; ++r) {
    place.rank = place.local_rank = r;
    ranks.push_back({.arguments = words, .errors = {}, .keeps_streams = true});
    for (const auto& [name, value] : environment_of(place))
      ranks.back().environment.push_back(concat(name, "=", value));
  }
  Attempt attempt;
  const auto end = [&](std::size_t rank, int code) {
    if (const std::string fault = fault_of(rank, code); !fault.empty()) {
      if (code > 128)
        std::cerr << concat("gsan: ", fault, "\n") << std::flush;  // others speak for themselves
      tell_ranks(place, fault);
    }
    if (attempt.code == 0) attempt.code = code;
  };
  attempt.is_interrupted =
      !run_children(ranks, {.at_once = options.processes, .on_end = end, .grace = std::chrono::seconds(30)});
  return attempt;
}

// A value that breaks a rule breaks it again.
bool may_help(int code) {
  return code > 128 || code == static_cast<int>(ExitCode::io) || code == static_cast<int>(ExitCode::resource);
}

}  // namespace

void RankOptions::add_to(CLI::App& command) {
  command
      .add_option(processes_option, processes,
                  "train with so many processes on this machine, which share the batches: the same bits for "
                  "any number (docs/scale.md)")
      ->check(CLI::Range(1, 1024));
  command
      .add_option(restarts_option, max_restarts,
                  "with --processes: how often processes that were lost are started again, from the last "
                  "checkpoint")
      ->check(CLI::Range(0, 1000));
  command
      .add_option("--backend", backend,
                  "what carries the gradients of several processes: gloo; nccl, between GPUs of which each "
                  "process has its own; automatic: nccl where that is so, else gloo")
      ->check(CLI::IsMember({"automatic", "gloo", "nccl"}))
      ->type_name("NAME");
}

ExitCode launch_ranks(const RankOptions& options, bool shares_cores) {
  if (const std::string why = why_no_ranks(); !why.empty()) fail(Fault::argument, "--processes: ", why);
  std::vector<std::string> words = words_of_ranks();
  if (shares_cores && std::getenv("OMP_NUM_THREADS") == nullptr)
    words.insert(words.end(), {"--threads", std::to_string(std::max(1, usable_cores() / options.processes))});
  for (int restarts = 0;; ++restarts) {
    const Attempt attempt = run_once(words, options, restarts);
    const bool is_interrupted =
        attempt.is_interrupted || attempt.code == static_cast<int>(ExitCode::interrupted);
    if (is_interrupted) return ExitCode::interrupted;
    if (attempt.code > 128 && restarts == options.max_restarts) return ExitCode::run_failed;
    if (!may_help(attempt.code) || restarts == options.max_restarts)
      return static_cast<ExitCode>(attempt.code);
    std::cerr << "gsan: restart " << restarts + 1 << " of " << options.max_restarts
              << ", from the last checkpoint" << std::endl;
  }
}

}  // namespace gsan::app
