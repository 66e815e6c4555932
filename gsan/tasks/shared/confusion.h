#pragma once
// Which class a model gives to the items of each class.

#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan {

struct ConfusionMatrix {
  std::vector<std::string> classes;
  std::vector<std::int64_t> counts;  ///< [C, C] by rows: row = true class, column = answer

  std::int64_t count(std::size_t truth, std::size_t answer) const {
    return counts[truth * classes.size() + answer];
  }
  std::int64_t total() const;
  std::int64_t correct() const;  ///< the diagonal
};

/// Of the items of a phase with a known class: 100 · correct/total is the accuracy that evaluate() gives. A
/// task without classes, and a phase without items, are errors.
ConfusionMatrix confusion_matrix(const Task& task, Model& model, Phase phase);

}  // namespace gsan
