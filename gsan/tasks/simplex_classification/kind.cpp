#include "gsan/data/open_data.h"
#include "gsan/tasks/shared/item_split.h"
#include "gsan/tasks/simplex_classification/task.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan {
namespace {

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<SimplexClassificationOptions>();
  faults.require(options.order >= 0, "simplex-classification.order must not be negative, got ",
                 options.order);
  faults.require_shares("simplex-classification", options.validation, options.test);
}

// A trained model answers also where no class is known.
void add_unknown_classes(ValueDataset& data, int order) {
  const auto k = static_cast<std::size_t>(order);
  GSAN_CHECK(order <= data.complex.order(), data.name, ": classes of order ", order,
             " are asked for, but the complex has only orders up to ", data.complex.order());
  if (data.values.size() <= k) data.values.resize(k + 1);
  if (!data.values[k].defined())
    data.values[k] =
        torch::full({data.complex.count(order)}, std::numeric_limits<double>::quiet_NaN(), torch::kFloat64);
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  const auto& options = settings.options.as<SimplexClassificationOptions>();
  auto [data, hashes] = open_classes(settings.data);
  if (settings.trained) {
    match_classes(data, settings.trained->classes);
    add_unknown_classes(data, options.order);
  }
  auto [split, how] =
      split_items(settings,
                  {data.name, simplex_labels(data, options.order), marks_of(data, options.order),
                   simplex_texts(data.complex, options.order, data.vertex_names)},
                  {options.validation, options.test}, data.class_names, split_stream(seed));
  return {std::make_unique<SimplexClassification>(std::move(data), std::move(split), options,
                                                  settings.placement(device)),
          std::move(hashes), std::move(how)};
}

}  // namespace

extern const TaskKind simplex_classification_task;
const TaskKind simplex_classification_task{
    .name = "simplex-classification",
    .sentence = "a class per simplex of one order, some unknown",
    .divides_items = false,
    .has_published = false,
    .is_oriented = false,
    .options = [](Protocol) { return AnyOptions(SimplexClassificationOptions{}); },
    .readout = [](const TaskSettings&, const BackboneKind&) -> std::string_view { return "simplex"; },
    .signal_order =
        [](const AnyOptions& options) { return options.as<SimplexClassificationOptions>().order; },
    .check = check,
    .make = make};

}  // namespace gsan
