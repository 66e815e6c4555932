#pragma once
// Weights that a run begins with in the place of random ones.

#include <filesystem>

#include "gsan/models/model.h"
#include "gsan/train/manifest.h"

namespace gsan {

/// Puts weights into the model, with what it measured of its inputs: of the best epoch of a run (a folder),
/// or of a weights file. An error, and the model is as before, unless the model is the same in every option
/// and shape: it names every difference. A damaged file is refused.
WeightsOrigin load_start_weights(const std::filesystem::path& from, Model& model);

/// The same for a run that had no checkpoint when it ended: the file must still be what it was.
void load_start_weights(const WeightsOrigin& origin, Model& model, const std::filesystem::path& run);

}  // namespace gsan
