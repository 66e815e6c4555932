#pragma once
// What may change when a run is resumed: how long it trains, never what it computes.

#include <filesystem>
#include <string>
#include <vector>

#include "gsan/train/manifest.h"
#include "gsan/train/run_settings.h"

namespace gsan {

/// The settings in `config` of the run in `run`, with the words of `changes` ("train.epochs=100"). Keys other
/// than train.epochs, train.patience and train.checkpoint_seconds are refused by name, and so are other
/// epochs under a cosine schedule, whose rates depend on them. `moved`: a word for where the data are now, or
/// empty.
RunSettings resumed_settings(const std::filesystem::path& run, const std::filesystem::path& config,
                             const std::vector<std::string>& changes, const std::string& moved = {});

/// What `now` has otherwise than `then`; `epochs` and `time` are left to the caller.
std::vector<SettingChange> changes_between(const RunSettings& then, const RunSettings& now);

/// An error unless there is something left to train for a run in this state: it has epochs to do, and does
/// not wait for a better one any more. Without a record (`has_record`) it may also end where it is.
void require_work(const TrainOptions& options, const TrainState& state, const std::filesystem::path& run,
                  bool has_record);

}  // namespace gsan
