#include "gsan/tasks/graph_classification/task.h"

namespace gsan {

GraphClassification::GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                                         const GraphClassificationOptions& options,
                                         const Placement& placement)
    : Classification(std::move(split), dataset.classes, static_cast<std::int64_t>(dataset.complexes.size()),
                     {dataset.name, dataset.class_names, dataset.item_names}, stream, options.batch_size),
      collate_(std::move(dataset), placement.operators(), placement.type),
      of_forest_(stream.substream("forest")) {}

ModelShape GraphClassification::shape() const {
  ModelShape shape;
  shape.in_channels = dataset().widths;
  shape.out_channels = dataset().classes;
  return shape;
}

Batch GraphClassification::batch_of(std::span<const std::int64_t> items) const { return collate_(items); }

}  // namespace gsan
