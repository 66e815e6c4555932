#include <limits>

#include "gsan/data/open_data.h"
#include "gsan/tasks/shared/item_split.h"
#include "gsan/tasks/simplex_regression/task.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan {
namespace {

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<SimplexRegressionOptions>();
  faults.require(options.order >= 0, "simplex-regression.order must not be negative, got ", options.order);
  faults.require_shares("simplex-regression", options.validation, options.test);
}

// A trained model answers also where no target is known.
void add_unknown_targets(ValueDataset& data, int order) {
  GSAN_CHECK(order <= data.complex.order(), data.name, ": targets of order ", order,
             " are asked for, but the complex has only orders up to ", data.complex.order());
  Tensor& targets = data.values[static_cast<std::size_t>(order)];
  if (!targets.defined())
    targets =
        torch::full({data.complex.count(order)}, std::numeric_limits<double>::quiet_NaN(), torch::kFloat64);
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  const auto& options = settings.options.as<SimplexRegressionOptions>();
  auto [data, hashes] = open_targets(settings.data);
  if (settings.trained) add_unknown_targets(data, options.order);
  const Tensor targets = simplex_targets(data, options.order);
  std::optional<TargetScale> trained;
  if (settings.trained) {
    trained = trained_units(settings);
  } else {
    require_different_targets(settings.name, data.name, targets);
  }
  auto [split, how] = split_items(settings,
                                  {data.name, quarters_of(targets), marks_of(data, options.order),
                                   simplex_texts(data.complex, options.order, data.vertex_names)},
                                  {options.validation, options.test}, {}, split_stream(seed));
  return {std::make_unique<SimplexRegression>(std::move(data), std::move(split), options,
                                              settings.placement(device), trained),
          std::move(hashes), std::move(how)};
}

}  // namespace

extern const TaskKind simplex_regression_task;
const TaskKind simplex_regression_task{
    .name = "simplex-regression",
    .sentence = "a number per simplex of one order, some unknown, from features",
    .divides_items = false,
    .has_published = false,
    .is_oriented = false,
    .options = [](Protocol) { return AnyOptions(SimplexRegressionOptions{}); },
    .readout = [](const TaskSettings&, const BackboneKind&) -> std::string_view { return "simplex"; },
    .signal_order = [](const AnyOptions& options) { return options.as<SimplexRegressionOptions>().order; },
    .check = check,
    .make = make};

}  // namespace gsan
