#pragma once
// Many small complexes with triangles, in two classes, for training in mini-batches.

#include <algorithm>

#include "gsan/hodge/solve/random_signal.h"
#include "gsan/models/backbones/layers.h"
#include "gsan/tasks/graph_classification/task.h"
#include "gsan/topology/builder.h"

namespace gsan {

/// Strips of 3 … 14 triangles (class 0) and wheels of as many (class 1), with random features.
inline ComplexDataset strips_and_wheels(int count = 96) {
  ComplexDataset dataset{
      .name = "strips and wheels", .complexes = {}, .features = {}, .widths = {3, 2, 1}, .labels = {}};
  std::vector<std::int64_t> labels;
  for (int i = 0; i < count; ++i) {
    const Vertex n = 3 + static_cast<Vertex>((7 * i) % 12);
    ComplexBuilder builder;
    for (Vertex v = 0; v < n; ++v) {
      if (i % 2 == 0)
        builder.add({v, v + 1, v + 2});
      else
        builder.add({std::min(v, (v + 1) % n), std::max(v, (v + 1) % n), n});
    }
    dataset.complexes.push_back(builder.build());
    std::vector<Tensor> features;
    for (int k = 0; k <= 2; ++k)
      features.push_back(random_signal(dataset.complexes.back().count(k), dataset.widths[k],
                                       concat("features ", i, " ", k), torch::kFloat32));
    dataset.features.push_back(std::move(features));
    labels.push_back(i % 2);
  }
  dataset.labels = torch::tensor(labels, torch::kInt64);
  return dataset;
}

inline GraphClassification small_graph_task(torch::Device device = torch::kCPU,
                                            torch::ScalarType type = torch::kFloat32) {
  Split split;
  for (std::int64_t i = 0; i < 96; ++i) (i % 6 == 1 ? split.validation : split.train).push_back(i);
  Placement placement;
  placement.device = device;
  placement.type = type;
  return {strips_and_wheels(), split, RandomStream(1, "batches"), {.batch_size = 9}, placement};
}

/// A published model, or one of the other backbones, on the task; dropout where it is a stack of layers.
inline Model small_graph_model(const Task& task, const std::string& name, double dropout = 0.2,
                               int hidden = 8) {
  ModelSpec spec = model_spec(name, "pooled");
  if (name != "mpsn" && name != "gin" && name != "mlp" && name != "facets") {
    auto& options = spec.backbone.as<LayersOptions>();
    options.hidden_channels = hidden;
    options.n_layers = 2;
    SimplicialLayerOptions& layer = options.layer;
    layer.dropout = dropout;
    if (layer.uses(ShiftKind::attention)) layer.attention_dropout = dropout;
  }
  return Model(spec, task.shape(), RandomStream(5, "model"));
}

}  // namespace gsan
