// What stands behind the printed numbers: docs/tasks.md.

#include "gsan/tasks/graph_classification/task.h"

namespace gsan {

std::vector<std::string> PublishedGraphClassification::remarks() const {
  return {
      "Validation and test are the same fold: the epoch is chosen on the items that are reported.",
      "A run reports the best epoch of its own fold, and a sweep averages these. The printed number is the "
      "best epoch of the curve averaged over the folds, which is never higher; the curves of the runs are "
      "in metrics.jsonl."};
}

}  // namespace gsan
