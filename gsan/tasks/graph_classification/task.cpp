#include "gsan/tasks/graph_classification/task.h"

namespace gsan {
namespace {

ComplexDataset with_structure(StructureChoice choice, ComplexDataset dataset) {
  const int top = dataset.order();
  for (int k = 0; k <= top; ++k) {
    const int more = structure_width(choice, dataset.has_features, k, top);
    dataset.widths[static_cast<std::size_t>(k)] += more;
    for (std::size_t i = 0; more > 0 && i < dataset.complexes.size(); ++i) {
      Tensor& features = dataset.features[i][static_cast<std::size_t>(k)];
      const Tensor columns = structural_features(ComplexOperators(dataset.complexes[i]), k, top);
      features = torch::cat({features, columns.to(features.scalar_type())}, 1);
    }
  }
  return dataset;
}

}  // namespace

GraphClassification::GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                                         const GraphClassificationOptions& options,
                                         const Placement& placement)
    : Classification(std::move(split), dataset.classes, static_cast<std::int64_t>(dataset.complexes.size()),
                     {dataset.name, dataset.class_names, dataset.item_names}, stream, options.batch_size,
                     options.choose_by),
      sums_(sums_and_sizes(dataset)),
      structure_(options.structure),
      collate_(with_structure(options.structure, std::move(dataset)), {.device = placement.device},
               placement.type),
      of_forest_(stream.substream("forest")) {}

ModelShape GraphClassification::shape() const {
  ModelShape shape;
  shape.in_channels = dataset().widths;
  shape.out_channels = dataset().classes;
  return shape;
}

std::vector<std::string> GraphClassification::notes() const {
  if (dataset().has_features) return {};
  return {concat("The data have no features: vertices carry 1, larger simplices the mean of their faces",
                 structure_ == StructureChoice::none
                     ? ""
                     : "; beside it the logarithms of the numbers of larger simplices that contain them",
                 " (graph-classification.structure).")};
}

Batch GraphClassification::batch_of(std::span<const std::int64_t> items) const { return collate_(items); }

}  // namespace gsan
