#include "apps/gsan/reproduce_runs.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include "gsan/core/atomic_file.h"
#include "gsan/train/experiment.h"

#include "apps/gsan/console/exit_code.h"
#include "apps/gsan/reproduce_estimate.h"
#include "apps/gsan/runner/file_lock.h"
#include "apps/gsan/runner/process_pool.h"
#include "apps/gsan/runner/sweep_progress.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

std::string name_of_run(const PlannedRun& run) {
  std::string name = run.file.string();
  return name.substr(0, name.size() - run.file.extension().string().size());
}

class Runner {
 public:
  Runner(const std::vector<RunToDo>& missing, std::size_t total, RecordStore& store,
         const RunnerOptions& options)
      : missing_(missing),
        store_(store),
        options_(options),
        estimate_(TimeEstimate::here(store)),
        progress_(std::cerr, options.quiet, total, total - missing.size()),
        state_(missing.size(), State::waiting) {}

  RunnerOutcome run() {
    pass();
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

  fs::path folder(const RunToDo& todo) const { return options_.work / name_of_run(todo.run); }
  fs::path lock_file(const RunToDo& todo) const { return options_.work / (name_of_run(todo.run) + ".lock"); }
  fs::path log_file(const RunToDo& todo) const { return options_.work / (name_of_run(todo.run) + ".log"); }

  void pass() {
    std::vector<ChildProcess> children;
    places_.clear();
    for (std::size_t i = 0; i < missing_.size(); ++i) {
      if (state_[i] != State::waiting && state_[i] != State::busy) continue;
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

  // Claims the run and says how it is started; false where it must or need not be done here.
  bool may_start(ChildProcess& child, std::size_t i) {
    const RunToDo& todo = missing_[i];
    if (options_.budget && std::chrono::duration<double>(Clock::now() - began_).count() >= *options_.budget) {
      outcome_.is_over_budget = true;
      return false;
    }
    make_folder(folder(todo).parent_path());
    std::optional<FileLock> lock = FileLock::try_take(lock_file(todo));
    if (!lock || is_held(folder(todo))) {
      state_[i] = State::busy;
      return false;
    }
    if (take_over(todo)) {  // another process was faster
      state_[i] = State::done;
      progress_.start();
      progress_.end(name_of_run(todo.run), "");
      return false;
    }
    locks_.insert_or_assign(i, std::move(*lock));
    child.arguments = arguments(todo);
    state_[i] = State::running;
    return true;
  }

  // Somebody trains in the folder of this run, perhaps a child of a process that was killed.
  static bool is_held(const fs::path& run) {
    std::error_code ignored;
    return fs::exists(run / ".lock", ignored) && !FileLock::try_take(run / ".lock");
  }

  bool take_over(const RunToDo& todo) {
    std::optional<TableRecord> record = read_table_record(options_.results, todo.run.file);
    if (!record || !is_record_of(*record, todo.run) || (record->curve.empty() && !todo.curve.empty()))
      return false;
    if (todo.for_time &&
        (record->machine != machine_name() || record->device != "cpu" || record->result.epoch_seconds <= 0))
      return false;
    store_.add(std::move(*record));
    return true;
  }

  std::vector<std::string> arguments(const RunToDo& todo) const {
    const fs::path run = folder(todo);
    std::error_code ignored;
    std::vector<std::string> words{"train"};
    if (goes_on(todo)) {
      words.insert(words.end(), {"--resume", run.string()});
    } else {
      fs::remove_all(run, ignored);
      words.insert(words.end(), {"--config", todo.run.config.string(), "--output", run.string()});
      words.insert(words.end(), todo.run.overrides.begin(), todo.run.overrides.end());
    }
    words.insert(words.end(),
                 {"--threads", std::to_string(options_.threads), "--device", options_.device, "--quiet"});
    return words;
  }

  // The folder holds this very run.
  bool goes_on(const RunToDo& todo) const {
    const fs::path run = folder(todo);
    std::error_code ignored;
    if (!fs::exists(run / "manifest.json", ignored)) return false;
    try {
      return flat_settings(read_run_settings(run)) == todo.run.settings;
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
        TableRecord record = take_record(folder(todo), todo.run, todo.curve);
        write_table_record(options_.results, record);
        store_.add(std::move(record));
        fs::remove_all(folder(todo), ignored);
        fs::remove(log_file(todo), ignored);
      } else if (!stopped) {
        fault = child_error(read_file(log_file(todo)), code);
      }
    } catch (const Error& error) {
      fault = error.what();
    }
    state_[i] = !fault.empty() ? State::failed : stopped ? State::waiting : State::done;
    if (!fault.empty()) outcome_.failed.emplace_back(name_of_run(todo.run), fault);
    fs::remove(lock_file(todo), ignored);
    locks_.erase(i);
    progress_.end(name_of_run(todo.run), stopped ? "interrupted" : fault.empty() ? "" : "failed: " + fault);
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

  static void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail(Fault::io, "cannot make the folder ", path, ": ", error.message());
  }

  const std::vector<RunToDo>& missing_;
  RecordStore& store_;
  const RunnerOptions& options_;
  TimeEstimate estimate_;
  SweepProgress progress_;
  std::vector<State> state_;
  std::vector<std::size_t> places_;  // child → run
  std::map<std::size_t, FileLock> locks_;
  RunnerOutcome outcome_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace

std::vector<RunToDo> all_runs(const std::vector<PlannedTable>& plan) {
  std::vector<RunToDo> all;
  std::map<FlatSettings, std::size_t> known;
  for (const PlannedTable& table : plan)
    for (const PlannedBlock& block : table.blocks)
      for (const PlannedRow& row : block.rows)
        for (const PlannedCell& cell : row.cells)
          for (const PlannedRun& run : cell.runs) {
            const auto [place, is_new] = known.emplace(run.settings, all.size());
            if (is_new) all.push_back({run, table.curve, false});
            all[place->second].has_target |= cell.has_target;
          }
  return all;
}

std::vector<RunToDo> missing_runs(const std::vector<PlannedTable>& plan, const RecordStore& store) {
  const TimeEstimate estimate = TimeEstimate::here(store);
  std::vector<std::pair<double, RunToDo>> missing;  // seconds first
  for (RunToDo& todo : all_runs(plan)) {
    const TableRecord* record = store.find(todo.run);
    if (record != nullptr && (todo.curve.empty() || !record->curve.empty())) continue;
    const double seconds = estimate.seconds(todo.run).value_or(0);
    missing.emplace_back(seconds, std::move(todo));
  }
  std::stable_sort(missing.begin(), missing.end(), [](const auto& a, const auto& b) {
    if (a.second.has_target != b.second.has_target) return a.second.has_target;
    if (a.second.run.seed != b.second.run.seed) return a.second.run.seed < b.second.run.seed;
    return a.first < b.first;
  });
  std::vector<RunToDo> sorted;
  for (auto& [seconds, todo] : missing) sorted.push_back(std::move(todo));
  return sorted;
}

RunnerOutcome run_missing(const std::vector<RunToDo>& missing, std::size_t total, RecordStore& store,
                          const RunnerOptions& options) {
  return Runner(missing, total, store, options).run();
}

}  // namespace gsan::app
