#include "gsan/data/open_data.h"
#include "gsan/tasks/shared/item_split.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/tasks/trajectory/task.h"

namespace gsan {
namespace {

// Signals per part of generated data, unless the settings say how many there are.
constexpr int generated_train = 1000, generated_held_out = 200;

void check(const TaskSettings& settings, Faults& faults) {
  const auto& options = settings.options.as<TrajectoryOptions>();
  faults.require(options.batch_size >= 1, "trajectory.batch_size must be at least 1, got ",
                 options.batch_size);
}

template <class KindOfTask>
std::unique_ptr<Task> made(const TaskSettings& settings, SignalDataset data, Split split, std::uint64_t seed,
                           torch::Device device) {
  return std::make_unique<KindOfTask>(std::move(data), std::move(split), task_stream(seed),
                                      settings.options.as<TrajectoryOptions>(), settings.placement(device));
}

MadeTask make(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  const bool is_published = settings.is_published();
  auto [data, hashes] =
      open_signals(settings.data, generated_train + generated_held_out * (is_published ? 1 : 2));
  if (settings.trained) match_classes(data, settings.trained->classes);
  auto [split, how] = split_items(
      settings, {data.name, data.labels, data.marks, item_texts(data.item_names, data.labels.numel())},
      shares_of(settings.split), data.class_names, split_stream(seed));
  return {is_published ? made<PublishedTrajectory>(settings, std::move(data), std::move(split), seed, device)
                       : made<Trajectory>(settings, std::move(data), std::move(split), seed, device),
          std::move(hashes), std::move(how)};
}

}  // namespace

extern const TaskKind trajectory_task;
const TaskKind trajectory_task{
    .name = "trajectory",
    .sentence = "a class per signal on one complex",
    .divides_items = true,
    .has_published = true,
    .is_oriented = true,
    .options =
        [](Protocol protocol) {
          // Keys that only one protocol uses are no keys of the other.
          return protocol == Protocol::strict ? AnyOptions{TrajectoryOptions{}, {"readout"}}
                                              : AnyOptions(TrajectoryOptions{});
        },
    .readout = [](const TaskSettings& settings, const BackboneKind&) -> std::string_view {
      const bool is_flattened =
          settings.options.as<TrajectoryOptions>().readout == TrajectoryReadout::flattened;
      return settings.is_published() && is_flattened ? "flattened" : "pooled";
    },
    .signal_order = [](const AnyOptions&) { return 1; },
    .check = check,
    .make = make};

}  // namespace gsan
