#pragma once
// Which class a model gives to the items of each class.

#include "gsan/tasks/task.h"

namespace gsan {

/// Of the items of a phase with a known class: 100 · correct/total is the accuracy that evaluate() gives. A
/// task whose answers are not classes, and a phase without items, are errors.
ConfusionMatrix confusion_matrix(const Task& task, Model& model, Phase phase);

}  // namespace gsan
