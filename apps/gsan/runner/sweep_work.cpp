#include "apps/gsan/runner/sweep_work.h"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <thread>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/make_folder.h"

#include "apps/gsan/console/exit_code.h"
#include "apps/gsan/console/stop_signal.h"
#include "apps/gsan/runner/file_lock.h"
#include "apps/gsan/runner/process_pool.h"
#include "apps/gsan/runner/run_claims.h"
#include "apps/gsan/runner/sweep_outcomes.h"
#include "apps/gsan/runner/sweep_progress.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

std::string name_of(const SweepRun& run) { return concat(trial_name(run.trial), "/seed-", run.seed); }

class Worker {
 public:
  explicit Worker(const SweepWork& work)
      : work_(work),
        trials_(work.plan.space.trials()),
        runs_(runs_of(work.folder, work.plan)),
        state_(runs_.size(), State::missing),
        end_{false, std::vector<std::string>(runs_.size())},
        claims_(work.folder, work.lost_after) {
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (is_done(runs_[i])) state_[i] = State::done;
  }

  SweepEnd run() {
    const std::atomic<bool>& stop = catch_stop_signals();
    const auto done = std::count(state_.begin(), state_.end(), State::done);
    SweepProgress progress(std::cerr, work_.quiet, runs_.size(), static_cast<std::size_t>(done));
    progress_ = &progress;
    bool goes_on = true;
    while (goes_on && std::count(state_.begin(), state_.end(), State::missing) > 0) {
      goes_on = pass() && !stop;
      if (goes_on) std::this_thread::sleep_for(std::chrono::milliseconds(100));  // others work on the rest
    }
    progress.clear();
    end_.is_finished = goes_on;
    return end_;
  }

 private:
  enum class State { missing, done, failed };

  // Every missing run that nobody else works on; false when it was interrupted.
  bool pass() {
    places_.clear();
    std::vector<ChildProcess> children;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (state_[i] != State::missing) continue;
      places_.push_back(i);
      children.push_back({{}, runs_[i].log});
    }
    return run_children(
        children, {.at_once = work_.jobs,
                   .may_start = [&](std::size_t child) { return may_start(children[child], places_[child]); },
                   .on_start = [&](std::size_t) { progress_->start(); },
                   .on_end = [&](std::size_t child, int code) { end(places_[child], code); },
                   .on_tick =
                       [&] {
                         claims_.beat();
                         progress_->draw();
                       }});
  }

  bool may_start(ChildProcess& child, std::size_t i) {
    make_folder(runs_[i].log.parent_path());
    // The claim first: to look whether a run is locked takes its lock for a moment.
    bool is_own = claims_.try_take(name_of(runs_[i]));
    if (is_own && is_locked(runs_[i].folder / ".lock")) {  // perhaps by a child of a process that was killed
      claims_.give_back(name_of(runs_[i]));
      is_own = false;
    }
    if (is_done(runs_[i])) {  // by another process
      if (is_own) claims_.give_back(name_of(runs_[i]));
      progress_->start();
      settle(i, "");
      return false;
    }
    if (is_own) child.arguments = arguments(runs_[i]);
    return is_own;
  }

  std::vector<std::string> arguments(const SweepRun& run) const {
    std::vector<std::string> words{"train"};
    const auto add = [&](const std::vector<std::string>& more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    if (fs::exists(run.folder / "manifest.json")) {
      add({"--resume", run.folder.string()});
    } else {
      add(overrides_of(work_.plan, trials_[run.trial]));
      if (work_.plan.config) add({"--config", base_file(work_.folder).string()});
      add({"--seed", std::to_string(run.seed), "--output", run.folder.string()});
    }
    add({"--threads", std::to_string(work_.threads), "--device", work_.device, "--quiet"});
    return words;
  }

  void end(std::size_t i, int code) {
    const bool is_stopped = code == static_cast<int>(ExitCode::interrupted) || code == 128 + SIGTERM;
    if (!is_done(runs_[i])) end_.errors[i] = child_error(read_file(runs_[i].log), code);
    claims_.give_back(name_of(runs_[i]));
    settle(i, is_stopped ? "interrupted" : end_.errors[i].empty() ? "" : "failed: " + end_.errors[i]);
  }

  void settle(std::size_t i, const std::string& fault) {
    state_[i] = fault.empty() ? State::done : State::failed;
    progress_->end(concat(trial_name(runs_[i].trial), " seed ", runs_[i].seed), fault);
  }

  const SweepWork& work_;
  std::vector<Assignment> trials_;
  std::vector<SweepRun> runs_;
  std::vector<State> state_;
  SweepEnd end_;
  RunClaims claims_;
  SweepProgress* progress_ = nullptr;
  std::vector<std::size_t> places_;  // child → run
};

}  // namespace

bool SweepEnd::has_failed() const {
  return std::any_of(errors.begin(), errors.end(), [](const auto& text) { return !text.empty(); });
}

SweepEnd work_on(const SweepWork& work) { return Worker(work).run(); }

}  // namespace gsan::app
