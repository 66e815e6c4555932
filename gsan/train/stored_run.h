#pragma once
// What the folder of a run says of its settings and data.

#include <filesystem>
#include <string>
#include <vector>

#include "gsan/data/opened_data.h"
#include "gsan/tasks/task.h"
#include "gsan/train/run_settings.h"

namespace gsan {

/// The settings of the run in `path`; with `changes` those that it would be resumed with. A folder of own
/// data that is not where it was is looked for at the same place seen from the run folder.
RunSettings read_run_settings(const std::filesystem::path& path,
                              const std::vector<std::string>& changes = {});

std::filesystem::path split_file(const std::filesystem::path& run);  ///< written last when a run begins

/// An error where the folder of own data of the run is gone.
void require_data(const std::filesystem::path& run, const DataSettings& data);

/// An error unless these are the data of the run and the parts that it was trained on.
void require_same_data(const std::filesystem::path& run, const Task& task, const DataHashes& data);

}  // namespace gsan
