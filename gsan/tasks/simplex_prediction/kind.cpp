#include <algorithm>

#include "gsan/data/open_data.h"
#include "gsan/data/sources/source.h"
#include "gsan/tasks/simplex_prediction/task.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan {
namespace {

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<SimplexPredictionOptions>();
  faults.require(options.order >= 1, "simplex-prediction.order must be at least 1, got ", options.order);
  faults.require(options.tuple_order >= all_faces && options.tuple_order < std::max(options.order, 1),
                 "simplex-prediction.tuple_order must be -1 (every face) or lie in 0 ... order - 1 = ",
                 options.order - 1, ", got ", options.tuple_order);
  faults.require(options.batch_size >= 0, "simplex-prediction.batch_size must not be negative, got ",
                 options.batch_size);
  faults.require_shares("simplex-prediction", options.validation, options.test);
  faults.require(options.message >= 0 && options.message <= 1,
                 "simplex-prediction.message must lie in 0 ... 1, got ", options.message);
}

// Keys that only one protocol uses are no keys of the other.
AnyOptions options_of(Protocol protocol) {
  if (protocol == Protocol::strict) return SimplexPredictionOptions{};
  return {SimplexPredictionOptions{}, {"split", "message"}};
}

// Parts with one class have no area under the curve.
void require_both_classes(const SimplexPrediction& task) {
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test}) {
    const Tensor labels = task.labels(phase);
    const auto positives = labels.eq(1).sum().item<std::int64_t>();
    GSAN_CHECK(labels.numel() == 0 || (positives > 0 && positives < labels.numel()),
               "simplex-prediction: of the ", labels.numel(), " candidates of the ", name_of(phase), " part ",
               positives, " are positive, but both classes are needed; choose other shares or another seed");
  }
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  const auto& options = settings.options.as<SimplexPredictionOptions>();
  const bool has_candidates = find_source(settings.data.name, settings.data.path).has(DataKind::candidates);
  OpenedData<CandidateDataset> opened;
  if (has_candidates) {
    opened = open_candidates(settings.data, options.order);
  } else {
    auto [values, hashes] = open_values(settings.data, settings.is_published(), options.order);
    opened = {candidates_of(values, options.order, options.threshold), std::move(hashes)};
  }
  const Placement placement = settings.placement(device);
  const RandomStream stream = split_stream(seed);
  std::unique_ptr<SimplexPrediction> task;
  if (settings.trained && has_candidates) {
    CandidateParts parts = judged_candidates(opened.data, settings.trained->uses_positives);
    task = std::make_unique<SimplexPrediction>(std::move(opened.data), std::move(parts), options, placement);
    return {std::move(task), std::move(opened.hashes)};
  }
  if (settings.is_published()) {
    task = std::make_unique<PublishedSimplexPrediction>(std::move(opened.data), stream, options, placement);
  } else {
    task = std::make_unique<SimplexPrediction>(std::move(opened.data), stream, options, placement);
  }
  require_both_classes(*task);
  return {std::move(task), std::move(opened.hashes)};
}

}  // namespace

extern const TaskKind simplex_prediction_task;
const TaskKind simplex_prediction_task{
    .name = "simplex-prediction",
    .sentence = "whether a simplex belongs to the complex",
    .divides_items = false,
    .has_published = true,
    .is_oriented = false,
    .options = options_of,
    .readout = [](const TaskSettings& settings, const BackboneKind&) -> std::string_view {
      return settings.options.as<SimplexPredictionOptions>().tuple_order == all_faces ? "faces" : "tuple";
    },
    .signal_order =
        [](const AnyOptions& any) {
          const auto& options = any.as<SimplexPredictionOptions>();
          return options.tuple_order == all_faces ? options.order - 1 : options.tuple_order;
        },
    .check = check,
    .make = make};

}  // namespace gsan
