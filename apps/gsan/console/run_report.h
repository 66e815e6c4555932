#pragma once
// What the command tells about a run.

#include <filesystem>

#include "gsan/train/run_record.h"
#include "gsan/train/run_settings.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// A number that is not finite is null.
Json metrics_json(const Metrics& metrics);

/// Every metric, the scores of the classes and the confusion matrix as tables; `part` names the column.
std::string details_table(const MetricDetails& details, const std::string& part);

/// The record with the run's folder and, where the paper has one, its figure.
Json run_json(const std::filesystem::path& run, const RunRecord& record, const RunSettings& settings);

/// Whether the model computes with the signs of orientations: one line, empty for a model that does not ask.
std::string orientation_text(const ModelSpec& model);

/// The model, the rules and the paper's figure as a table; the protocol with its remarks.
std::string run_text(const std::filesystem::path& run, const RunRecord& record, const RunSettings& settings);

}  // namespace gsan::app
