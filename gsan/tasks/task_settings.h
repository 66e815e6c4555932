#pragma once
// Everything that a task is made of, as sections of a config. Which keys count depends on the kind.

#include <cstdint>
#include <memory>
#include <string>

#include "gsan/data/data_settings.h"
#include "gsan/data/open_data.h"
#include "gsan/tasks/graph_classification.h"
#include "gsan/tasks/imputation.h"
#include "gsan/tasks/simplex_classification.h"
#include "gsan/tasks/simplex_prediction.h"
#include "gsan/tasks/task.h"
#include "gsan/tasks/trajectory.h"

namespace gsan {

enum class TaskKind {
  trajectory,              ///< a class per signal on one complex
  imputation,              ///< a value per simplex of one order, some unknown
  simplex_classification,  ///< a class per simplex of one order, some unknown
  graph_classification,    ///< a class per complex
  simplex_prediction,      ///< does a simplex belong to the complex?
};

template <>
struct EnumNames<TaskKind> {
  static constexpr std::pair<TaskKind, std::string_view> names[] = {
      {TaskKind::trajectory, "trajectory"},
      {TaskKind::imputation, "imputation"},
      {TaskKind::simplex_classification, "simplex-classification"},
      {TaskKind::graph_classification, "graph-classification"},
      {TaskKind::simplex_prediction, "simplex-prediction"}};
};

/// Section `split`, of tasks that divide items (signals or complexes).
struct SplitSettings {
  double validation = 0.2, test = 0.2;
  int folds = 0, fold = 0;
  std::string file{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("validation", self.validation,
          "share of the items that chooses the epoch; with folds: of the rest");
    visit("test", self.test, "share of the items for the one look at the end; with folds: not used");
    visit("folds", self.folds, "0: shares; else so many stratified folds, of which one is the test part");
    visit("fold", self.fold, "which fold is the test part, from 0");
    visit("file", self.file, "a split of your own: {\"train\": [0, 4], \"validation\": [], \"test\": []}");
  }
};

struct TaskSettings {
  TaskKind kind = TaskKind::trajectory;
  Protocol protocol = Protocol::strict;
  DataSettings data;
  /// Every item with a known class is in the test part (no key of a config: for data that a trained model has
  /// not seen). Values and candidates are still divided: some must be given to find others.
  bool only_test = false;
  /// With only_test: what the trained model knows, no keys either. Labels are numbered by these classes, and
  /// orders that no complex has, but the model reads, are empty with these widths.
  std::vector<std::string> classes{};
  std::vector<int> widths{};
  SplitSettings split;           // trajectory, graph-classification
  TrajectoryOptions trajectory;  // the section called like the kind
  ImputationOptions imputation;
  SimplexClassificationOptions simplex_classification;
  GraphClassificationOptions graph_classification;
  SimplexPredictionOptions simplex_prediction;

  std::vector<std::string> faults() const;  ///< by the names of the keys
};

/// The settings of a protocol for a kind and its dataset, before the user changes any.
TaskSettings standard_settings(TaskKind kind, Protocol protocol, const std::string& data_name);

struct MadeTask {
  std::unique_ptr<Task> task;
  DataHashes data;
};

/// What a task draws by itself: the order of its batches, random orientations, what a step hides.
inline RandomStream task_stream(std::uint64_t seed) { return {seed, "task"}; }

/// Opens the data, splits them by RandomStream(seed, "split") and builds the task with RandomStream(seed,
/// "task"). Items without a known label are in no part. One error with every fault of the settings.
MadeTask make_task(const TaskSettings& settings, std::uint64_t seed, torch::Device device = torch::kCPU);

}  // namespace gsan
