#pragma once
// New records: of a finished training, and of rules, which need no training at all.

#include <filesystem>
#include <string>

#include "gsan/report/plan.h"

namespace gsan::report {

/// Whether the folder holds this very run, begun or finished.
bool is_run_of(const std::filesystem::path& run_folder, const PlannedRun& run);

/// From the folder of a finished run; an error where it is another run than was planned.
Record take_record(const std::filesystem::path& run_folder, const RunToDo& todo, const std::string& machine);

/// Makes the task of the run and judges its rules on the test part, in this process.
Record measure_rules(const std::filesystem::path& experiments, const PlannedRun& run,
                     const std::string& machine);

}  // namespace gsan::report
