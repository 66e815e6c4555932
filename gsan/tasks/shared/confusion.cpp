#include "gsan/tasks/shared/confusion.h"

namespace gsan {

ConfusionMatrix confusion_matrix(const Task& task, Model& model, Phase phase) {
  GSAN_CHECK(task.has_items(phase), "confusion_matrix: the ", name_of(phase), " part has no items");
  std::optional<ConfusionMatrix> found = evaluate_in_detail(task, model, phase).details.confusion;
  GSAN_CHECK(found.has_value(), "confusion_matrix: the answers of ", task.name(), " are not classes");
  return std::move(*found);
}

}  // namespace gsan
