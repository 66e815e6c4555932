#include <algorithm>

#include "gsan/data/open_data.h"
#include "gsan/data/sources/source.h"
#include "gsan/tasks/shared/own_split.h"
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
  faults.require(
      !settings.split.is_own() || options.split == CandidateSplit::random || settings.is_published(),
      "simplex-prediction.split=", name_of(options.split),
      " holds out whole sources at random, which split.by and split.file exclude: set "
      "simplex-prediction.split=random");
  faults.require(options.message >= 0 && options.message <= 1,
                 "simplex-prediction.message must lie in 0 ... 1, got ", options.message);
}

// Keys that only one protocol uses are no keys of the other.
AnyOptions options_of(Protocol protocol) {
  if (protocol == Protocol::strict) return {SimplexPredictionOptions{}, {"leak"}};
  return {SimplexPredictionOptions{}, {"split", "message"}};
}

// Parts with one class have no area under the curve.
void require_both_classes(const SimplexPrediction& task) {
  GSAN_CHECK(task.labels(Phase::train).numel() > 0, "simplex-prediction: no candidate of ",
             task.dataset().name, " is left to train on; give candidates labels 0 and 1");
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test}) {
    const Tensor labels = task.labels(phase);
    const auto positives = labels.eq(1).sum().item<std::int64_t>();
    GSAN_CHECK(labels.numel() == 0 || (positives > 0 && positives < labels.numel()),
               "simplex-prediction: of the ", labels.numel(), " candidates of the ", name_of(phase), " part ",
               positives, " are positive, but both classes are needed; choose other shares or another seed");
  }
}

// Nothing where the options divide the candidates; and what does.
std::pair<std::optional<Split>, std::string> own_parts(const TaskSettings& settings,
                                                       const CandidateDataset& data,
                                                       const SimplexPredictionOptions& options,
                                                       const RandomStream& stream) {
  const bool is_random = settings.is_published() || options.split == CandidateSplit::random;
  const char* by_rule = is_random ? "stratified at random" : "by the sources of the candidates";
  if (settings.trained) return {std::nullopt, by_rule};
  auto own = own_split(
      settings,
      {data.name, data.labels, data.marks, simplex_texts(data.complex, data.order, data.vertex_names)},
      {options.validation, options.test}, stream);
  if (!own) return {std::nullopt, by_rule};
  return {std::move(own->split), std::move(own->how)};
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
  auto [split, how] = own_parts(settings, opened.data, options, stream);
  std::unique_ptr<SimplexPrediction> task;
  if (settings.trained && has_candidates) {
    CandidateParts parts = judged_candidates(opened.data, settings.trained->uses_positives);
    task = std::make_unique<SimplexPrediction>(std::move(opened.data), std::move(parts), options, placement);
    return {std::move(task), std::move(opened.hashes), "data that the model was not trained on"};
  }
  if (settings.is_published()) {
    task = std::make_unique<PublishedSimplexPrediction>(std::move(opened.data), stream, options, placement,
                                                        split);
  } else {
    task = std::make_unique<SimplexPrediction>(std::move(opened.data), stream, options, placement, split);
  }
  require_both_classes(*task);
  return {std::move(task), std::move(opened.hashes), std::move(how)};
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
    .make = make,
    .takes_positives = true};

}  // namespace gsan
