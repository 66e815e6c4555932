#include "apps/gsan/runner/reproduce_runner.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <thread>

#include <torch/utils.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/make_folder.h"
#include "gsan/report/measurement.h"
#include "gsan/train/experiment.h"

#include "apps/gsan/console/exit_code.h"
#include "apps/gsan/console/processor.h"
#include "apps/gsan/console/stop_signal.h"
#include "apps/gsan/runner/file_lock.h"
#include "apps/gsan/runner/process_pool.h"
#include "apps/gsan/runner/sweep_progress.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

using report::Record;
using report::RecordKind;
using report::RecordStore;
using report::RunToDo;

bool is_rules(const RunToDo& todo) { return todo.run.key.kind == RecordKind::rules; }

class Runner {
 public:
  Runner(const std::vector<RunToDo>& missing, std::size_t total, RecordStore& store,
         const report::TimeEstimate& estimate, const RunnerOptions& options)
      : missing_(missing),
        store_(store),
        options_(options),
        estimate_(estimate),
        progress_(std::cerr, options.quiet, total, total - missing.size()),
        state_(missing.size(), State::waiting) {}

  RunnerOutcome run() {
    measure_rules();
    if (!outcome_.is_interrupted) pass();
    // What an interrupted process left may take a moment to let go of its folder.
    for (int i = 0; i < 20 && !outcome_.is_interrupted && !outcome_.is_over_budget && count(State::busy) > 0;
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
      pass();
    }
    progress_.clear();
    outcome_.busy = count(State::busy);
    return outcome_;
  }

 private:
  enum class State { waiting, running, done, failed, busy };

  int count(State state) const { return static_cast<int>(std::count(state_.begin(), state_.end(), state)); }

  fs::path folder(const RunToDo& todo) const { return options_.work / todo.run.name; }
  fs::path lock_file(const RunToDo& todo) const { return options_.work / (todo.run.name + ".lock"); }
  fs::path log_file(const RunToDo& todo) const { return options_.work / (todo.run.name + ".log"); }

  // Seconds each, and nothing of them is kept but the record: one after the other, in this process.
  void measure_rules() {
    if (std::none_of(missing_.begin(), missing_.end(), is_rules)) return;
    const std::atomic<bool>& stop = catch_stop_signals();
    torch::set_num_threads(options_.jobs * options_.threads);
    for (std::size_t i = 0; i < missing_.size() && !is_over_budget(); ++i) {
      if (!is_rules(missing_[i])) continue;
      outcome_.is_interrupted = stop;
      if (stop) return;
      std::optional<FileLock> lock = claim(i);
      if (!lock) continue;
      progress_.start();
      std::string fault;
      try {
        keep(report::measure_rules(options_.experiments, missing_[i].run, options_.machine));
      } catch (const Error& error) {
        fault = error.what();
      }
      settle(i, fault);
      std::error_code ignored;
      fs::remove(lock_file(missing_[i]), ignored);
      progress_.end(missing_[i].run.name, fault.empty() ? "" : "failed: " + fault);
    }
  }

  void pass() {
    std::vector<ChildProcess> children;
    places_.clear();
    for (std::size_t i = 0; i < missing_.size(); ++i) {
      if (is_rules(missing_[i]) || (state_[i] != State::waiting && state_[i] != State::busy)) continue;
      places_.push_back(i);
      children.push_back({{}, log_file(missing_[i])});
    }
    const bool finished = run_children(
        children, {.at_once = options_.jobs,
                   .may_start = [&](std::size_t child) { return may_start(children[child], places_[child]); },
                   .on_start = [&](std::size_t) { progress_.start(); },
                   .on_end = [&](std::size_t child, int code) { end(places_[child], code); },
                   .on_tick =
                       [&] {
                         progress_.expect(left());
                         progress_.draw();
                       }});
    outcome_.is_interrupted = !finished;
  }

  // Says how the run is started; false where it must or need not be done here.
  bool may_start(ChildProcess& child, std::size_t i) {
    if (is_over_budget()) return false;
    std::optional<FileLock> lock = claim(i);
    if (!lock) return false;
    const RunToDo& todo = missing_[i];
    locks_.insert_or_assign(i, std::move(*lock));
    child.arguments = arguments(todo);
    state_[i] = State::running;
    return true;
  }

  // Held while the run is worked on; nothing where another process does, or has done it.
  std::optional<FileLock> claim(std::size_t i) {
    const RunToDo& todo = missing_[i];
    make_folder(folder(todo).parent_path());
    std::optional<FileLock> lock = FileLock::try_take(lock_file(todo));
    if (!lock || is_held(folder(todo))) {
      state_[i] = State::busy;
      return std::nullopt;
    }
    if (!take_over(todo)) return lock;
    state_[i] = State::done;
    progress_.start();
    progress_.end(todo.run.name, "");
    return std::nullopt;
  }

  bool is_over_budget() {
    if (options_.budget && std::chrono::duration<double>(Clock::now() - began_).count() >= *options_.budget)
      outcome_.is_over_budget = true;
    return outcome_.is_over_budget;
  }

  // Somebody trains in the folder of this run, perhaps a child of a process that was killed.
  static bool is_held(const fs::path& run) { return is_locked(run / ".lock"); }

  // The record of this run that another process may have written meanwhile.
  bool take_over(const RunToDo& todo) {
    const RecordStore now(options_.results);
    const Record* record = now.find(todo.run);
    if (record == nullptr || (record->curve.empty() && !todo.curve.empty())) return false;
    if (todo.for_time && (record->origin.machine != options_.machine || record->origin.device != "cpu" ||
                          record->epoch_seconds <= 0))
      return false;
    store_.add(*record);
    return true;
  }

  // Writes the record; processes that share the work take turns.
  void keep(Record record) {
    make_folder(options_.work);
    const fs::path lock_of_table = options_.work / (record.table + ".records.lock");
    std::optional<FileLock> lock;
    while (!(lock = FileLock::try_take(lock_of_table)))
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    report::store_record(options_.results, record);
    store_.add(std::move(record));
  }

  std::vector<std::string> arguments(const RunToDo& todo) const {
    const fs::path run = folder(todo);
    std::error_code ignored;
    std::vector<std::string> words{"train"};
    if (is_begun(todo)) {
      words.insert(words.end(), {"--resume", run.string()});
    } else {
      fs::remove_all(run, ignored);
      const std::vector<std::string> overrides = todo.run.key.overrides();
      words.insert(words.end(), {"--config", (options_.experiments / todo.run.key.config).string(),
                                 "--output", run.string()});
      words.insert(words.end(), overrides.begin(), overrides.end());
    }
    words.insert(words.end(),
                 {"--threads", std::to_string(options_.threads), "--device", options_.device, "--quiet"});
    return words;
  }

  // The folder holds this very run.
  bool is_begun(const RunToDo& todo) const {
    const fs::path run = folder(todo);
    std::error_code ignored;
    if (!fs::exists(run / "manifest.json", ignored)) return false;
    try {
      return report::is_run_of(run, todo.run);
    } catch (const Error&) {
      return false;
    }
  }

  void end(std::size_t i, int code) {
    const RunToDo& todo = missing_[i];
    std::error_code ignored;
    std::string fault;
    const bool stopped = code == static_cast<int>(ExitCode::interrupted) || code == 128 + SIGTERM;
    try {
      if (fs::exists(record_file(folder(todo)), ignored)) {
        keep(report::take_record(folder(todo), todo, options_.machine));
        fs::remove_all(folder(todo), ignored);
        fs::remove(log_file(todo), ignored);
      } else if (!stopped) {
        fault = child_error(read_file(log_file(todo)), code);
      }
    } catch (const Error& error) {
      fault = error.what();
    }
    settle(i, fault);
    if (fault.empty() && stopped) state_[i] = State::waiting;
    fs::remove(lock_file(todo), ignored);
    locks_.erase(i);
    progress_.end(todo.run.name, stopped ? "interrupted" : fault.empty() ? "" : "failed: " + fault);
  }

  void settle(std::size_t i, const std::string& fault) {
    state_[i] = fault.empty() ? State::done : State::failed;
    if (!fault.empty()) outcome_.failed.emplace_back(missing_[i].run.name, fault);
  }

  double left() const {
    double seconds = 0;
    for (std::size_t i = 0; i < missing_.size(); ++i) {
      if (state_[i] != State::waiting && state_[i] != State::running) continue;
      const std::optional<double> expected = estimate_.seconds(missing_[i].run);
      if (!expected) return -1;
      seconds += *expected / options_.jobs;
    }
    return seconds;
  }

  const std::vector<RunToDo>& missing_;
  RecordStore& store_;
  const RunnerOptions& options_;
  const report::TimeEstimate& estimate_;
  SweepProgress progress_;
  std::vector<State> state_;
  std::vector<std::size_t> places_;  // child → run
  std::map<std::size_t, FileLock> locks_;
  RunnerOutcome outcome_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

std::string machine_name() {
  static const std::string name = concat(processor_name(), ", ", usable_cores(), " cores");
  return name;
}

RunnerOutcome run_missing(const std::vector<RunToDo>& missing, std::size_t total, RecordStore& store,
                          const report::TimeEstimate& estimate, const RunnerOptions& options) {
  return Runner(missing, total, store, estimate, options).run();
}

}  // namespace gsan::app
