#include "gsan/data/label_numbers.h"
#include "gsan/data/open_data.h"
#include "gsan/tasks/graph_regression/task.h"
#include "gsan/tasks/shared/complex_tables.h"
#include "gsan/tasks/shared/item_split.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan {
namespace {

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<GraphRegressionOptions>();
  faults.require(options.batch_size >= 1, "graph-regression.batch_size must be at least 1, got ",
                 options.batch_size);
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  auto [data, hashes] = open_complexes(settings.data);
  const Tensor targets = label_numbers(data);
  std::optional<TargetScale> trained;
  if (settings.trained) {
    add_empty_orders(data, settings.trained->in_channels,
                     settings.options.as<GraphRegressionOptions>().structure);
    trained = trained_units(settings);
  } else {
    require_different_targets(settings.name, data.name, targets);
  }
  auto [split, how] = split_items(
      settings, {data.name, quarters_of(targets), data.marks, item_texts(data.item_names, targets.numel())},
      shares_of(settings.split), {}, split_stream(seed));
  return {std::make_unique<GraphRegression>(std::move(data), std::move(split), task_stream(seed),
                                            settings.options.as<GraphRegressionOptions>(),
                                            settings.placement(device), trained),
          std::move(hashes), std::move(how)};
}

}  // namespace

extern const TaskKind graph_regression_task;
const TaskKind graph_regression_task{
    .name = "graph-regression",
    .sentence = "a number per complex",
    .divides_items = true,
    .has_published = false,
    .is_oriented = false,
    .options = [](Protocol) { return AnyOptions(GraphRegressionOptions{}); },
    .readout = [](const TaskSettings&, const BackboneKind&) -> std::string_view { return "pooled"; },
    .signal_order = [](const AnyOptions&) { return -1; },
    .check = check,
    .make = make};

}  // namespace gsan
