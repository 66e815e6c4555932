#include "gsan/data/open_data.h"
#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/shared/complex_tables.h"
#include "gsan/tasks/shared/item_split.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan {
namespace {

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<GraphClassificationOptions>();
  faults.require(options.batch_size >= 1, "graph-classification.batch_size must be at least 1, got ",
                 options.batch_size);
}

template <class KindOfTask>
std::unique_ptr<Task> made(const TaskSettings& settings, ComplexDataset data, Split split, std::uint64_t seed,
                           torch::Device device) {
  return std::make_unique<KindOfTask>(std::move(data), std::move(split), task_stream(seed),
                                      settings.options.as<GraphClassificationOptions>(),
                                      settings.placement(device));
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  auto [data, hashes] = open_complexes(settings.data);
  if (settings.trained) {
    match_classes(data, settings.trained->classes);
    add_empty_orders(data, settings.trained->in_channels,
                     settings.options.as<GraphClassificationOptions>().structure);
  }
  auto [split, how] = split_items(
      settings, {data.name, data.labels, data.marks, item_texts(data.item_names, data.labels.numel())},
      shares_of(settings.split), data.class_names, split_stream(seed));
  return {settings.is_published()
              ? made<PublishedGraphClassification>(settings, std::move(data), std::move(split), seed, device)
              : made<GraphClassification>(settings, std::move(data), std::move(split), seed, device),
          std::move(hashes), std::move(how)};
}

}  // namespace

extern const TaskKind graph_classification_task;
const TaskKind graph_classification_task{
    .name = "graph-classification",
    .sentence = "a class per complex",
    .divides_items = true,
    .has_published = true,
    .is_oriented = false,
    .options = [](Protocol) { return AnyOptions(GraphClassificationOptions{}); },
    .readout = [](const TaskSettings&, const BackboneKind&) -> std::string_view { return "pooled"; },
    .signal_order = [](const AnyOptions&) { return -1; },
    .check = check,
    .make = make};

}  // namespace gsan
