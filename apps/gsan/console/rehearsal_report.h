#pragma once
// What a run will do and take, for `gsan train --check`.

#include "gsan/train/rehearsal.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// Data, model, steps; time and memory, each with what was measured and what was estimated from it.
Json rehearsal_json(const Experiment& experiment, const Rehearsal& rehearsal);
std::string rehearsal_text(const Experiment& experiment, const Rehearsal& rehearsal);

}  // namespace gsan::app
