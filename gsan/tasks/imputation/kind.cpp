#include "gsan/data/open_data.h"
#include "gsan/tasks/imputation/missing_rows.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/shared/own_split.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan {
namespace {

constexpr int above_every_order = 1000;

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<ImputationOptions>();
  faults.require(options.order >= 0, "imputation.order must not be negative, got ", options.order);
  faults.require(options.missing > 0 && options.missing < 100,
                 "imputation.missing must lie between 0 and 100 per cent, got ", options.missing);
  faults.require(options.hidden > 0 && options.hidden < 1, "imputation.hidden must lie in (0, 1), got ",
                 options.hidden);
  faults.require(options.validation >= 0 && options.validation < 1,
                 "imputation.validation must lie in [0, 1), got ", options.validation);
  faults.require(options.steps_per_epoch >= 1, "imputation.steps_per_epoch must be at least 1, got ",
                 options.steps_per_epoch);
  faults.require(!settings.split.is_own() || options.choice == MissingChoice::random,
                 "imputation.choice=", name_of(options.choice),
                 " hides whole sources at random, which split.by and split.file exclude: set "
                 "imputation.choice=random");
  faults.require(options.scale != ScaleChoice::log || options.fill != FillChoice::zero,
                 "imputation.scale = log needs a fill above 0, got imputation.fill = zero");
}

// Keys that only one protocol uses are no keys of the other.
AnyOptions options_of(Protocol protocol) {
  if (protocol == Protocol::strict) return {ImputationOptions{}, {"loss"}};
  return {ImputationOptions{},
          {"choice", "mark", "snap", "hidden", "validation", "choose_by", "steps_per_epoch", "all_orders",
           "validation_at_test"}};
}

// Of the order whose values are sought; NaN: not known.
const Tensor& sought_values(const ValueDataset& dataset, int order) {
  GSAN_CHECK(order < static_cast<int>(dataset.values.size()) &&
                 dataset.values[static_cast<std::size_t>(order)].defined(),
             "imputation: ", dataset.name, " has no values of order ", order, "; set imputation.order");
  return dataset.values[static_cast<std::size_t>(order)];
}

std::vector<std::int64_t> missing_rows(const ValueDataset& dataset, const ImputationOptions& options,
                                       const RandomStream& stream) {
  if (options.choice == MissingChoice::by_source)
    return source_mask(dataset, options.order, options.missing, stream);
  const Tensor known = sought_values(dataset, options.order).isnan().logical_not().nonzero().squeeze(1);
  std::vector<std::int64_t> rows = random_mask(known.numel(), options.missing, stream);
  for (std::int64_t& row : rows) row = known.const_data_ptr<std::int64_t>()[row];
  return rows;
}

// All values are of one class: nothing to stratify by.
std::optional<MadeSplit> own_rows(const TaskSettings& settings, const ValueDataset& data,
                                  const ImputationOptions& options, const RandomStream& stream) {
  const Tensor values = sought_values(data, options.order);
  const Tensor labels = torch::where(values.isnan(), unknown_label, 0).to(torch::kInt64);
  const double missing = options.missing / 100,
               validation = settings.is_published() ? 0 : options.validation * (1 - missing);
  return own_split(settings,
                   {data.name, labels, marks_of(data, options.order),
                    simplex_texts(data.complex, options.order, data.vertex_names)},
                   {validation, missing}, stream);
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  const auto& options = settings.options.as<ImputationOptions>();
  auto [data, hashes] = open_values(settings.data, settings.is_published(),
                                    options.all_orders ? above_every_order : options.order);
  auto own = own_rows(settings, data, options, split_stream(seed));
  const Placement placement = settings.placement(device);
  const bool is_new_data = settings.trained.has_value();
  if (own && !settings.is_published())
    return {Imputation::divided(std::move(data), std::move(own->split), task_stream(seed), options, placement,
                                is_new_data),
            std::move(hashes), std::move(own->how)};
  Items missing = own ? std::move(own->split.test) : missing_rows(data, options, split_stream(seed));
  std::unique_ptr<Task> task;
  if (settings.is_published()) {
    task = std::make_unique<PublishedImputation>(std::move(data), std::move(missing), task_stream(seed),
                                                 options, placement, is_new_data);
  } else {
    task = std::make_unique<Imputation>(std::move(data), std::move(missing), task_stream(seed), options,
                                        placement, is_new_data);
  }
  const char* by_rule =
      options.choice == MissingChoice::by_source ? "by the sources of the values" : "at random";
  return {std::move(task), std::move(hashes), own ? std::move(own->how) : by_rule};
}

}  // namespace

extern const TaskKind imputation_task;
const TaskKind imputation_task{
    .name = "imputation",
    .sentence = "a value per simplex of one order, some unknown",
    .divides_items = false,
    .has_published = true,
    .is_oriented = false,
    .options = options_of,
    // The last layer is the answer of models that carry values; published also where one can end in a number.
    .readout = [](const TaskSettings& settings, const BackboneKind& backbone) -> std::string_view {
      const bool answers = settings.is_published() && backbone.can_answer_itself;
      return answers || backbone.carries_values ? "none" : "simplex";
    },
    .signal_order = [](const AnyOptions& options) { return options.as<ImputationOptions>().order; },
    .check = check,
    .make = make};

}  // namespace gsan
