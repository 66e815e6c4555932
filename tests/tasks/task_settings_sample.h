#pragma once
// Settings of a task without a recipe.

#include <string>

#include "gsan/tasks/task_kinds.h"

namespace gsan {

inline TaskSettings settings_of(const std::string& task, Protocol protocol, const std::string& data,
                                const std::string& path = "") {
  TaskSettings settings;
  settings.name = task;
  settings.protocol = protocol;
  settings.data = data_settings(data, path);
  settings.options = find_task(task).options(protocol);
  if (protocol == Protocol::published) settings.split.validation = 0;
  return settings;
}

}  // namespace gsan
