#include "gsan/tasks/shared/worst_items.h"

#include <tuple>

#include "gsan/core/text.h"
#include "gsan/tasks/shared/class_meter.h"
#include "gsan/tasks/shared/prediction_rows.h"

namespace gsan {

std::vector<std::int64_t> largest(const Tensor& losses, std::int64_t count) {
  const Tensor order = std::get<1>(losses.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true));
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < std::min(count, order.numel()); ++i) {
    const auto place = order[i].item<std::int64_t>();
    if (losses[place].item<double>() < 0) break;
    places.push_back(place);
  }
  return places;
}

std::vector<JudgedItem> worst_classified(const Task& task, Model& model, Phase phase, std::int64_t count,
                                         const std::function<std::string(std::size_t)>& name) {
  const std::vector<std::string> classes = task.class_names();
  std::vector<Tensor> all_logits, all_labels;
  for_each_output(task, model, phase, [&](const ModelOutput& output, const Batch& batch) {
    all_logits.push_back(
        class_logits(output, batch, static_cast<int>(classes.size())).cpu().to(torch::kFloat64));
    all_labels.push_back(batch.targets.cpu());
  });
  if (all_logits.empty()) return {};
  const Tensor logits = torch::cat(all_logits), labels = torch::cat(all_labels);
  const Tensor losses = torch::cross_entropy_loss(logits, labels, {}, at::Reduction::None, unknown_label)
                            .masked_fill(labels.eq(unknown_label), -1);
  std::vector<JudgedItem> worst;
  for (const std::int64_t i : largest(losses, count)) {
    const auto [confidence, answer] = logits[i].softmax(-1).max(-1);
    worst.push_back({name(static_cast<std::size_t>(i)),
                     classes[static_cast<std::size_t>(labels[i].item<std::int64_t>())],
                     classes[static_cast<std::size_t>(answer.item<std::int64_t>())],
                     confidence.item<double>(), losses[i].item<double>()});
  }
  return worst;
}

std::vector<JudgedItem> worst_valued(const Tensor& answers, const Tensor& truth, std::int64_t count,
                                     const std::function<std::string(std::int64_t)>& name) {
  const Tensor distance = (answers - truth).abs();
  std::vector<JudgedItem> worst;
  for (const std::int64_t i : largest(distance.nan_to_num(-1), count)) {
    JudgedItem item;
    item.name = name(i);
    item.truth = number_text(truth[i].item<double>());
    item.answer = show(answers[i].item<double>());
    item.loss = distance[i].item<double>();
    worst.push_back(std::move(item));
  }
  return worst;
}

}  // namespace gsan
