#pragma once
// Training as benchmarks need it: the protein graphs, a model for them, single steps.

#include <vector>

#include "gsan/models/model.h"
#include "gsan/tasks/graph_classification/task.h"
#include "gsan/train/optimizer.h"

#include "apps/gsan/bench/suite.h"

namespace gsan::app {

/// Every graph of the collection in `folder` is for training, in batches of 36. Task and model are on the
/// device of the options.
GraphClassification protein_task(const std::filesystem::path& folder, const BenchOptions& options);

/// Three layers (GSAN, J = 4) of two heads of 16 and the pooled readout.
Model protein_model(const GraphClassification& task, HarmonicKind harmonic, const BenchOptions& options);

/// All of the first epoch.
std::vector<Batch> training_batches(const Task& task);

/// Gradients of the loss on this batch, and one update.
void training_step(const Task& task, Model& model, Optimizer& optimizer, const Batch& batch);

}  // namespace gsan::app
