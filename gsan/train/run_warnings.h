#pragma once
// What a finished run shows that its user should know: a sentence each, in results.json, in the report and on
// the console. Every one is a fact, with its numbers; a run of which there is nothing to say has none.

#include <string>
#include <vector>

#include "gsan/train/metrics_log.h"
#include "gsan/train/part_view.h"
#include "gsan/train/run_record.h"

namespace gsan {

/// None, or a sentence each.
using Warnings = std::vector<std::string>;

/// Of the course of a run, a line per epoch.
Warnings exploding_validation(const std::vector<EpochMetrics>& epochs);
Warnings no_improvement(const std::vector<EpochMetrics>& epochs, const RunRecord& record);
/// A run that was still improving when it ended, before it made `enough_steps` steps.
inline constexpr std::int64_t enough_steps = 100;
Warnings few_steps(const RunRecord& record, std::int64_t steps);

/// The rule that is furthest above the model on the test set, by the headline metric.
Warnings below_a_rule(const RunRecord& record);

/// Inputs that are the same everywhere in the training set. Beside inputs that vary, a constant 1 is no
/// fault: it is what simplices without features carry.
Warnings constant_inputs(const std::vector<FeatureRange>& inputs);
/// Answers that are the same for all items of a part, though its classes differ.
Warnings constant_answers(const PartView& view, const std::vector<std::string>& classes);
/// Classes of a single item, and classes that a part lacks.
Warnings rare_classes(const std::vector<PartView>& parts, const std::vector<std::string>& classes);

/// What a run has to say about itself.
struct RunViews {
  std::vector<EpochMetrics> epochs{};
  std::vector<PartView> parts{};  ///< as view_parts() gives them
  std::int64_t steps = 0;         ///< of training
};

/// All of them, those of the data first. The record is complete but for its warnings.
Warnings run_warnings(const RunRecord& record, const RunViews& views,
                      const std::vector<std::string>& classes);

}  // namespace gsan
