#include "gsan/tasks/graph_classification/task.h"

#include "gsan/tasks/shared/complex_size.h"
#include "gsan/tasks/shared/complex_tables.h"

namespace gsan {

GraphClassification::GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                                         const GraphClassificationOptions& options,
                                         const Placement& placement)
    : Classification(std::move(split), dataset.classes, dataset.labels,
                     {dataset.name, dataset.class_names, dataset.item_names}, stream, options.batch_size,
                     options.choose_by),
      sums_(sums_and_sizes(dataset)),
      structure_(options.structure),
      collate_(with_structure(options.structure, std::move(dataset)), placement.operators(), placement.type),
      of_forest_(stream.substream("forest")) {}

ModelShape GraphClassification::shape() const {
  ModelShape shape;
  shape.in_channels = dataset().widths;
  shape.out_channels = dataset().classes;
  return shape;
}

std::vector<std::string> GraphClassification::notes() const {
  return structure_notes(dataset(), structure_, name());
}

std::int64_t GraphClassification::item_size(std::int64_t item) const {
  return complex_size(dataset().complexes[static_cast<std::size_t>(item)]);
}

Batch GraphClassification::batch_of(std::span<const std::int64_t> items) const { return collate_(items); }

std::optional<Batch> GraphClassification::host_batch_of(std::span<const std::int64_t> items) const {
  return collate_.on_host(items);
}

}  // namespace gsan
