#include "apps/gsan/bench/protein_training.h"

#include <numeric>

#include "gsan/data/sources/tu.h"
#include "gsan/models/backbones/layers.h"

namespace gsan::app {

GraphClassification protein_task(const std::filesystem::path& folder, const BenchOptions& options) {
  ComplexDataset dataset = read_tu_dataset(folder);
  Split split;
  split.train.resize(dataset.complexes.size());
  std::iota(split.train.begin(), split.train.end(), 0);
  return {std::move(dataset),
          std::move(split),
          RandomStream(options.seed, "bench task"),
          {.batch_size = 36},
          {.device = options.place}};
}

Model protein_model(const GraphClassification& task, HarmonicKind harmonic, const BenchOptions& options) {
  ModelSpec spec = model_spec("gsan", "pooled", {.length = 4});
  auto& layers = spec.backbone.as<LayersOptions>();
  layers.hidden_channels = 32;
  layers.n_layers = 3;
  layers.layer.heads = 2;
  layers.layer.harmonic = harmonic;
  layers.layer.activation = Activation::relu;
  Model model(std::move(spec), task.shape(), RandomStream(options.seed, "bench model"));
  model->to(options.place);
  return model;
}

std::vector<Batch> training_batches(const Task& task) {
  std::vector<Batch> batches;
  for (std::int64_t step = 0; step < task.batch_count(Phase::train, 0); ++step)
    batches.push_back(task.batch(Phase::train, 0, step));
  return batches;
}

void training_step(const Task& task, Model& model, Optimizer& optimizer, const Batch& batch) {
  optimizer.zero_grad();
  task.loss(model->forward(batch.operators, batch.signals), batch).backward();
  optimizer.step();
}

}  // namespace gsan::app
