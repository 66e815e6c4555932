#include "gsan/train/part_view.h"

#include <algorithm>
#include <cmath>

#include "gsan/models/readout_kinds.h"
#include "gsan/tasks/shared/classification.h"

namespace gsan {
namespace {

constexpr double rounding = 1e-6;  // of float32 sums in another order, as a share of the values

void count_classes(const Tensor& numbers, std::int64_t classes, std::vector<std::int64_t>& counts) {
  counts.resize(static_cast<std::size_t>(classes));
  const Tensor whole = numbers.to(torch::kCPU, torch::kInt64).flatten();
  const Tensor found = torch::bincount(whole.masked_select(whole.ge(0)), {}, classes);
  for (std::int64_t c = 0; c < classes; ++c)
    counts[static_cast<std::size_t>(c)] += found[c].item<std::int64_t>();
}

void add_inputs(PartView& view, const Batch& batch, const std::vector<int>& read) {
  view.inputs.resize(read.size());
  for (std::size_t k = 0; k < std::min(read.size(), batch.signals.size()); ++k)
    if (read[k] > 0) view.inputs[k].add(batch.signals[k]);
}

void add_labels(PartView& view, const Batch& batch, std::int64_t classes) {
  if (classes > 0 && batch.targets.defined()) count_classes(batch.targets, classes, view.labels);
}

void add_output(PartView& view, const ModelOutput& output, const Batch& batch, const Task& task) {
  const auto classes = static_cast<std::int64_t>(task.class_names().size());
  if (classes > 0) {
    const Tensor logits = class_logits(output, batch, static_cast<int>(classes));
    count_classes(logits.argmax(-1), classes, view.answers);
    view.outputs.add(logits);
    return;
  }
  const int order = task.shape().order;
  const Tensor values = output.values.defined() ? output.values
                        : order >= 0            ? output.backbone.layers.back()[order]
                                                : Tensor();
  if (values.defined()) view.outputs.add(values);
}

}  // namespace

void FeatureRange::add(const Tensor& x) {
  if (!x.defined() || x.numel() == 0) return;
  const Tensor table = x.detach().flatten(0, -2);  // [rows, F]
  const Tensor low = table.amin(0).to(torch::kCPU, torch::kFloat64),
               high = table.amax(0).to(torch::kCPU, torch::kFloat64);
  least = rows == 0 ? low : torch::minimum(least, low);
  most = rows == 0 ? high : torch::maximum(most, high);
  rows += table.size(0);
}

std::vector<bool> FeatureRange::is_constant() const {
  std::vector<bool> all;
  for (std::int64_t f = 0; rows > 0 && f < least.numel(); ++f) {
    const double low = least[f].item<double>(), high = most[f].item<double>();
    all.push_back(high - low <= rounding * std::max(std::abs(low), std::abs(high)));
  }
  return all;
}

bool PartView::has_items() const {
  return std::any_of(labels.begin(), labels.end(), [](std::int64_t count) { return count > 0; });
}

std::vector<std::string> counted_classes(const Task& task, const Model& model) {
  std::vector<std::string> names = task.class_names();
  if (names.empty() && find_readout(model->spec().readout).takes_tuples) names = {"0", "1"};
  return names;
}

std::vector<PartView> view_parts(const Task& task, Model& model) {
  const auto classes = static_cast<std::int64_t>(counted_classes(task, model).size());
  std::vector<PartView> parts;
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    if (task.has_items(phase)) parts.push_back({.phase = phase});
  const EvaluationPass pass(model);
  for (PartView& part : parts)
    for (std::int64_t step = 0; step < task.batch_count(part.phase, 0); ++step) {
      const Batch batch = task.batch(part.phase, 0, step);
      if (part.phase == Phase::train) add_inputs(part, batch, model->backbone().in_channels());
      add_labels(part, batch, classes);
      if (&part == &parts.back()) add_output(part, pass.output(batch), batch, task);
    }
  return parts;
}

}  // namespace gsan
