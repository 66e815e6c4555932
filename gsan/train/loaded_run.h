#pragma once
// A trained model with the task that it answers: of a run, or of a file of weights.

#include "gsan/train/experiment.h"

namespace gsan {

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

}  // namespace gsan
