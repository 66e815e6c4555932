#pragma once
// Everything that a run is made of, as one config: keys `task`, `protocol`, `seed`; sections `data`, `split`,
// one called like the task, `model`, `train`.
//
// Which keys there are and what they start with depends on some values: the task, the protocol, the data,
// the model, its filter length and the order that the task asks about. Those are looked up first.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/core/config.h"
#include "gsan/models/model_settings.h"
#include "gsan/tasks/task_settings.h"
#include "gsan/train/trainer.h"

namespace gsan {

struct RunSettings {
  std::uint64_t seed = 0;
  TaskSettings task;
  ModelSettings model;
  TrainOptions train;
};

/// What the starting values depend on; an empty name is the standard one of the task.
struct RunChoice {
  TaskKind task = TaskKind::trajectory;
  Protocol protocol = Protocol::strict;
  std::string data{}, model{};
  std::string path{};  ///< a folder of own data, called `data` or else like the folder; empty: none
  int length = 0;
  int order = -1;        ///< of the simplices that the task asks about; −1: the standard one
  int tuple_order = -1;  ///< simplex-prediction: of the faces that the head reads; −1: the standard one
};

/// The settings before the user changes any.
RunSettings starting_settings(const RunChoice& choice);

/// Every key with the value of the settings as its default.
ConfigSchema run_schema(const RunSettings& settings);

/// One Error with every fault: of the text, of its values, and of rules between them. `source` names the
/// text; the key `task` must be there.
RunSettings parse_run_settings(const std::string& yaml, const std::string& source,
                               const std::vector<std::string>& overrides = {});

/// Complete: parse_run_settings reads the same settings back.
std::string to_yaml(const RunSettings& settings);

}  // namespace gsan
