#pragma once
// Every task by its name. To add one: a folder of tasks/ whose kind.cpp defines its TaskKind, a line in
// tasks.def, and a recipe called like it (recipes/NAME.yaml).

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/opened_data.h"
#include "gsan/models/model_kinds.h"
#include "gsan/tasks/task_settings.h"

namespace gsan {

struct MadeTask {
  std::unique_ptr<Task> task;
  DataHashes data;
  std::string split;  ///< what divided its items: "by the column part of labels.csv"
};

struct TaskKind {
  std::string_view name;      ///< also of its section in a config, and of its recipe
  std::string_view sentence;  ///< what is to be learned
  bool divides_items;         ///< its shares are in the section `split`, not in its own
  bool has_published;         ///< has a published protocol beside the strict one
  bool is_oriented;  ///< whether signals that do not say so change sign with the direction of their simplices

  /// Its section, with the keys that the protocol uses.
  AnyOptions (*options)(Protocol protocol);
  /// The readout that its models have (models/readout_kinds.h), and the order that a model of one order works
  /// on (−1: that of the publication).
  std::string_view (*readout)(const TaskSettings& settings, const BackboneKind& backbone);
  int (*signal_order)(const AnyOptions& options);
  /// Of its section and of what it asks of the others.
  void (*check)(const TaskSettings& settings, Faults& faults);
  /// The settings are sound.
  MadeTask (*make)(const TaskSettings& settings, std::uint64_t seed, torch::Device device);

  bool takes_positives = false;  ///< follows TrainedOn::uses_positives
};

std::span<const TaskKind* const> task_kinds();
std::vector<std::string> task_names();

/// '_' and '-' count as the same; an error names the nearest one for an unknown name.
const TaskKind& find_task(std::string_view name);

/// Opens the data, divides them by split_stream(seed) and builds the task with task_stream(seed). Items
/// without a known label are in no part. One error with every fault of the settings.
MadeTask make_task(const TaskSettings& settings, std::uint64_t seed, torch::Device device = torch::kCPU);

}  // namespace gsan
