#pragma once
// A whole run: settings → task, model, training, the one look at the test part, results.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gsan/data/opened_data.h"
#include "gsan/ranks/ranks.h"
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

/// Goes on with the run in `path`, by its own settings. One that has its record is only read, unless
/// `changes`
/// ("train.epochs=100"; train/resumed_settings.h) give it more to do: its record then goes, and comes back
/// when it is finished again. Other data, or another split, than it began with are an error; other
/// differences are told to the observer.
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

/// The settings of the run in `path`; with `changes` those that it would be resumed with. A folder of own
/// data that is not where it was is looked for at the same place seen from the run folder.
RunSettings read_run_settings(const std::filesystem::path& path,
                              const std::vector<std::string>& changes = {});

/// Which weights of a run: of the epoch that validation chose, of the one that it had chosen before, or of
/// the last epoch. A file that is damaged or missing is an error that names the others: another epoch never
/// answers unasked.
enum class RunWeights { best, previous, last };

template <>
struct EnumNames<RunWeights> {
  static constexpr std::pair<RunWeights, std::string_view> names[] = {
      {RunWeights::best, "best"}, {RunWeights::previous, "previous"}, {RunWeights::last, "last"}};
};

/// The run in `path` with weights of one of its epochs. Own data that are not as in the run are an error, and
/// so are weights of another model. Only reads.
struct LoadOptions {
  torch::Device device = torch::kCPU;
  RunWeights weights = RunWeights::best;
  /// A folder, or the name of a dataset, to take in the place of the run's own data: every item with a known
  /// class is then in the test part; the classes are those of the run, though the data may lack some.
  std::string data{};
  /// Of other data: candidates that are known to belong to the complex are in it. Else no label is used.
  bool uses_positives = false;
  std::size_t max_memory = Limits{}.max_memory;  ///< TaskSettings::max_memory
};
struct LoadedRun {
  Experiment experiment;
  std::int64_t epoch = -1;  ///< of the weights, counted from 0
};
LoadedRun load_run(const std::filesystem::path& path, const LoadOptions& options = {});

/// A model of a weights file (Python: `model.save`) with the task of these settings, whose own model is not
/// used. An error unless the model fits the task. Of the options: device, order and memory.
LoadedRun load_saved_model(const std::filesystem::path& weights, RunSettings settings,
                           const LoadOptions& options = {});

/// An error unless these are the data of the run and the parts that it was trained on.
void require_same_data(const std::filesystem::path& run, const Task& task, const DataHashes& data);

}  // namespace gsan
