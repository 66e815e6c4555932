#pragma once
// What a model finds on the batches of a phase, measured by several ranks: each answers some of them.

#include "gsan/ranks/ranks.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// The bits of evaluate(), on every rank: the answers are the same whoever computes them, and the meter sees
/// them in the order of the batches. For tasks whose meters read nothing but answers and targets, which are
/// those whose batches can be divided (Task::divisible_items).
Metrics evaluate(const Task& task, Model& model, Phase phase, Ranks& ranks);

/// The bits of measure_batch_norms(task, model), on every rank.
void measure_batch_norms(const Task& task, Model& model, Ranks& ranks);

/// The metrics of rank 0 on every rank.
Metrics broadcast(const Metrics& metrics, Ranks& ranks);

}  // namespace gsan
