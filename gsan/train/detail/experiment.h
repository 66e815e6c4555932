#pragma once
// What a new run (experiment.cpp) and a resumed one (resume_run.cpp) share.

#include "gsan/train/experiment.h"
#include "gsan/train/run_folder.h"

namespace gsan {

Manifest manifest_of(const Experiment& experiment);

RunSettings limited(RunSettings settings, std::size_t max_memory);

/// Classes, units and the split, which is last: where it is, all is.
void write_items(const RunFolder& folder, const Experiment& experiment);

/// Trains and writes the record; without a folder nothing is left.
RunOutcome train(Experiment& experiment, RunFolder* folder, const RunServices& services, bool is_resumed);

}  // namespace gsan
