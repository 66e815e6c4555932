#include "gsan/tasks/graph_regression/task.h"

#include "gsan/data/label_numbers.h"
#include "gsan/tasks/shared/class_meter.h"
#include "gsan/tasks/shared/complex_size.h"
#include "gsan/tasks/shared/complex_tables.h"

namespace gsan {

GraphRegression::GraphRegression(ComplexDataset dataset, Split split, const RandomStream& stream,
                                 const GraphRegressionOptions& options, const Placement& placement,
                                 const std::optional<TargetScale>& trained)
    : ItemTask(std::move(split),
               named_or_numbered(dataset.item_names, static_cast<std::int64_t>(dataset.complexes.size())),
               stream, options.batch_size),
      sums_(sums_and_sizes(dataset)),
      collate_(with_structure(options.structure, std::move(dataset)), placement.operators(), placement.type),
      options_(options),
      targets_(label_numbers(collate_.dataset())),
      scale_(trained ? *trained
                     : measure_targets(targets_.index_select(0, item_tensor(this->split().train)))) {}

ModelShape GraphRegression::shape() const {
  ModelShape shape;
  shape.in_channels = dataset().widths;
  shape.out_channels = 1;
  return shape;
}

std::vector<std::string> GraphRegression::notes() const {
  return structure_notes(dataset(), options_.structure, name());
}

std::int64_t GraphRegression::item_size(std::int64_t item) const {
  return complex_size(dataset().complexes[static_cast<std::size_t>(item)]);
}

Batch GraphRegression::batch_of(std::span<const std::int64_t> items) const {
  return collate_.to_device(*host_batch_of(items));
}

std::optional<Batch> GraphRegression::host_batch_of(std::span<const std::int64_t> items) const {
  Batch batch = collate_.on_host(items);
  batch.targets = targets_.index_select(0, item_tensor(items));
  return batch;
}

Tensor GraphRegression::loss(const ModelOutput& output, const Batch& batch) const {
  return regression_loss(output, batch, scale_, options_.loss);
}

std::unique_ptr<Meter> GraphRegression::meter(Phase) const {
  return std::make_unique<RegressionMeter>(scale_, options_.loss);
}

Prediction GraphRegression::predict(Model& model) const {
  require_fit(model, shape(), dataset().name);
  const Tensor values =
      read_all(model, torch::zeros({0}, torch::kFloat64), [](const ModelOutput& output, const Batch& batch) {
        return answered_values(output, batch).to(torch::kCPU, torch::kFloat64);
      });
  return value_prediction({"name"}, named_rows(), scale_.from_model(values), targets_, parts());
}

std::vector<JudgedItem> GraphRegression::worst_items(Model& model, Phase phase, std::int64_t count) const {
  const Items& items = items_of(split(), phase);
  return worst_regressed(*this, model, phase, count, scale_, [&](std::int64_t i) {
    return item_names()[static_cast<std::size_t>(items[static_cast<std::size_t>(i)])];
  });
}

}  // namespace gsan
