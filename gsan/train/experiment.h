#pragma once
// A whole run: settings → task, model, training, the one look at the test part, results.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gsan/data/opened_data.h"
#include "gsan/ranks/ranks.h"
#include "gsan/tasks/task.h"
#include "gsan/train/manifest.h"
#include "gsan/train/run_record.h"
#include "gsan/train/run_settings.h"
#include "gsan/train/train_observer.h"

namespace gsan {

/// The task on its data and the model for it. The first weights depend on the seed alone.
struct Experiment {
  RunSettings settings;
  torch::Device device = torch::kCPU;
  std::shared_ptr<const Task> task;
  DataHashes data;
  Model model{nullptr};
  std::string split{};            ///< what divided the items (MadeTask::split)
  WeightsOrigin first_weights{};  ///< those of the model, unless they are random
};

/// Opens the data and builds both.
Experiment make_experiment(RunSettings settings, torch::Device device = torch::kCPU);

/// What a run may use besides its settings; each may be missing.
struct RunServices {
  torch::Device device = torch::kCPU;
  TrainObserver* observer = nullptr;
  const std::atomic<bool>* stop = nullptr;       ///< true: save a checkpoint and return
  std::size_t max_memory = Limits{}.max_memory;  ///< TaskSettings::max_memory
  /// That train together. Rank 0 starts or resumes the run, in its folder; the others follow it.
  Ranks* ranks = nullptr;
  bool is_restart = false;  ///< a run that its launcher has started before: start_run() resumes it
};

struct RunOutcome {
  TrainEnd end = TrainEnd::finished;
  std::optional<RunRecord> record{};  ///< nothing when it was interrupted, and of ranks that follow
};

std::filesystem::path record_file(const std::filesystem::path& run);  ///< results.json

/// Trains the model of the experiment, which holds the weights of the chosen epoch afterwards: with a path in
/// a new run folder there, else without leaving anything. The record is what the weights give.
RunOutcome train_experiment(Experiment& experiment, const std::optional<std::filesystem::path>& path,
                            const RunServices& services = {});

/// A new run in `path`, which must not hold one; nothing is made there before data and model are sound.
/// `from`: a run or a weights file whose weights it begins with (train/start_weights.h); empty: random ones.
RunOutcome start_run(const RunSettings& settings, const std::filesystem::path& path,
                     const RunServices& services = {}, const std::filesystem::path& from = {});

/// Goes on with the run in `path`, by its own settings (resume_run.cpp). One that has its record is only
/// read, unless `changes` ("train.epochs=100"; train/resumed_settings.h) give it more to do: its record then
/// goes, and comes back when it is finished again. Other data, or another split, than it began with are an
/// error; other differences are told to the observer.
RunOutcome resume_run(const std::filesystem::path& path, const RunServices& services = {},
                      const std::vector<std::string>& changes = {});

/// The settings of a run that starts with ranks, or none: standard_micro_batches where they leave it open.
RunSettings with_micro_batches(RunSettings settings, const Ranks* ranks);

/// Rank 0 says what is to be done, nothing where a run is finished; the others hear it, and take `own`, the
/// settings that they were given, where there are any. Nothing happens without ranks.
void announce(const std::optional<RunSettings>& settings, const RunServices& services);
std::optional<RunSettings> followed_settings(const std::optional<RunSettings>& own,
                                             const RunServices& services);

/// What the other ranks do while rank 0 is in start_run() or resume_run(). `own`: the settings that this rank
/// was given, which must be those of rank 0; nothing where they come from the run folder.
RunOutcome follow_run(const std::optional<RunSettings>& own, const RunServices& services);

}  // namespace gsan
