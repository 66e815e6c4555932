#include "apps/gsan/console/rehearsal_report.h"

#include <algorithm>
#include <cmath>

#include <c10/core/CachingDeviceAllocator.h>

#include "gsan/core/text.h"
#include "gsan/train/progress.h"

#include "apps/gsan/console/run_report.h"

namespace gsan::app {
namespace {

// Of the first training batch.
struct BatchSize {
  std::vector<std::int64_t> simplices;  // of each order
  std::int64_t complexes = 1, signals = 1;
};

BatchSize first_batch(const Task& task) {
  const Batch batch = task.batch(Phase::train, 0, 0);
  BatchSize size;
  for (int k = 0; k <= batch.operators.order(); ++k) size.simplices.push_back(batch.operators.count(k));
  size.complexes = batch.operators.part_count();
  for (const Tensor& x : batch.signals)
    if (x.defined() && x.dim() > 2) size.signals = x.size(0);
  return size;
}

// Two significant digits below a minute.
std::string seconds_text(double seconds) {
  if (seconds >= 60) return duration_text(seconds);
  const double scale = std::pow(10, 1 - std::floor(std::log10(std::max(seconds, 1e-9))));
  return show(std::round(seconds * scale) / scale) + " s";
}

// The most that torch's allocator held on a device beside the CPU so far.
std::size_t device_peak(torch::Device device) {
  const c10::DeviceIndex index = device.has_index() ? device.index() : c10::DeviceIndex{0};
  return static_cast<std::size_t>(
      at::getDeviceAllocator(device.type())->getDeviceStats(index).allocated_bytes[0].peak);
}

}  // namespace

Json rehearsal_json(const Experiment& experiment, const Rehearsal& found) {
  const Task& task = *experiment.task;
  const RunSettings& settings = experiment.settings;
  const BatchSize batch = first_batch(task);
  Json parts = Json::object();
  for (const auto& [name, items] : task.parts()) parts[name] = items.size();
  Json memory{{"before_steps_bytes", found.bytes_before}, {"peak_bytes", found.peak_bytes}};
  if (!experiment.device.is_cpu()) memory["device_peak_bytes"] = device_peak(experiment.device);
  return {{"command", "train"},
          {"task", task.name()},
          {"protocol", name_of(settings.task.protocol)},
          {"data", settings.task.data.name},
          {"parts", std::move(parts)},
          {"first_batch",
           {{"simplices", batch.simplices}, {"complexes", batch.complexes}, {"signals", batch.signals}}},
          {"model", settings.model.name},
          {"parameters", experiment.model->parameter_count()},
          {"epochs", settings.train.epochs},
          {"steps_per_epoch", found.steps_per_epoch},
          {"measured",
           {{"steps", found.steps},
            {"processes", found.ranks},
            {"micro_batches", found.micro_batches},
            {"first_step_seconds", found.first_step_seconds},
            {"step_seconds", found.step_seconds},
            {"memory", std::move(memory)}}},
          {"estimated",
           {{"validation_seconds", found.validation_seconds},
            {"validation_is_measured", found.is_validation_measured},
            {"epoch_seconds", found.epoch_seconds},
            {"run_seconds", found.run_seconds}}},
          {"remarks", task.remarks()}};
}

std::string rehearsal_text(const Experiment& experiment, const Rehearsal& found) {
  const Task& task = *experiment.task;
  const RunSettings& settings = experiment.settings;
  const BatchSize batch = first_batch(task);
  std::string text =
      concat(settings.model.name, " for ", task.name(), " on ", settings.task.data.name, ": ",
             experiment.model->parameter_count(), " parameters\n", orientation_text(settings.model));
  const auto line = [&text](std::string name, const auto&... parts) {
    name.resize(11, ' ');
    text += concat(name, parts..., "\n");
  };
  line("items", joined(task.parts(), ", ",
                       [](const auto& part) { return concat(part.first, " ", part.second.size()); }));
  line("a batch", joined(batch.simplices, " + "), " simplices of order 0, 1, ...",
       batch.complexes > 1 ? concat(" in ", batch.complexes, " complexes") : "",
       batch.signals > 1 ? concat(", ", batch.signals, " signals on them") : "");
  line("steps", found.steps_per_epoch, " an epoch, ", settings.train.epochs, " epochs");
  line("measured", found.steps, " steps: the first ", seconds_text(found.first_step_seconds), ", a step ",
       seconds_text(found.step_seconds));
  if (found.ranks > 1 || found.micro_batches > 1)
    line("", "by ", found.ranks,
         found.ranks > 1 ? " processes, each with its share of the " : " process, in ", found.micro_batches,
         " micro-batches of a step");
  line("", found.ranks > 1 ? "of process 0: " : "", "peak memory ", show_bytes(found.peak_bytes),
       ", of which ", show_bytes(found.bytes_before), " before the first step");
  if (!experiment.device.is_cpu()) line("", "on the device ", show_bytes(device_peak(experiment.device)));
  line("estimated", seconds_text(found.epoch_seconds), " an epoch, ", seconds_text(found.run_seconds),
       " in all", settings.train.patience > 0 ? " unless it stops early" : "");
  return text + "nothing was kept: no run folder was written\n";
}

}  // namespace gsan::app
