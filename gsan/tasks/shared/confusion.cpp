#include "gsan/tasks/shared/confusion.h"

#include <numeric>

#include "gsan/tasks/shared/classification.h"

namespace gsan {

std::int64_t ConfusionMatrix::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::int64_t ConfusionMatrix::correct() const {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) sum += count(c, c);
  return sum;
}

ConfusionMatrix confusion_matrix(const Task& task, Model& model, Phase phase) {
  ConfusionMatrix matrix{task.class_names(), {}};
  GSAN_CHECK(!matrix.classes.empty(), "confusion_matrix: the answers of ", task.name(), " are not classes");
  GSAN_CHECK(task.has_items(phase), "confusion_matrix: the ", name_of(phase), " part has no items");
  const auto classes = static_cast<int>(matrix.classes.size());
  Tensor counts = torch::zeros({std::int64_t{classes} * classes}, torch::kInt64);
  for_each_output(task, model, phase, [&](const ModelOutput& output, const Batch& batch) {
    const Tensor answers = class_logits(output, batch, classes).argmax(-1).cpu(),
                 labels = batch.targets.cpu();
    const Tensor cells = (labels * classes + answers).masked_select(labels.ne(unknown_label));
    counts += torch::bincount(cells, {}, counts.numel());
  });
  matrix.counts.assign(counts.const_data_ptr<std::int64_t>(),
                       counts.const_data_ptr<std::int64_t>() + counts.numel());
  return matrix;
}

}  // namespace gsan
