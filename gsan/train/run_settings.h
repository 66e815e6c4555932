#pragma once
// Everything that a run is made of, as one config: keys `task`, `protocol`, `seed`; sections `data`, `split`,
// one called like the task, `model`, `train`. What a config leaves out is that of the recipe of its task and
// protocol (train/recipes.h), or of the config that it extends.
//
// Which keys there are depends on the task, the protocol, the data and the model; a key that they would not
// use is refused by name.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/core/config.h"
#include "gsan/models/model_spec.h"
#include "gsan/tasks/task_settings.h"
#include "gsan/train/trainer.h"

namespace gsan {

struct RunSettings {
  std::uint64_t seed = 0;
  TaskSettings task;
  ModelSpec model;
  TrainOptions train;
};

/// Every key with the value of the settings as its default.
ConfigSchema run_schema(const RunSettings& settings);

/// One Error with every fault: of the text, of its values, and of rules between them. `source` names the
/// text; the key `task` must be there, or in what it extends.
RunSettings parse_run_settings(const std::string& yaml, const std::string& source,
                               const std::vector<std::string>& overrides = {});

/// Those of a recipe: recipe_name(task, protocol) with these overrides.
RunSettings recipe_settings(const std::string& task, Protocol protocol,
                            const std::vector<std::string>& overrides = {});

/// Complete: parse_run_settings reads the same settings back.
std::string to_yaml(const RunSettings& settings);

}  // namespace gsan
