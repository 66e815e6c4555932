#include "gsan/tasks/simplex_regression/task.h"

#include "gsan/tasks/shared/feature_inputs.h"
#include "gsan/tasks/shared/prediction_rows.h"

namespace gsan {

Tensor simplex_targets(const ValueDataset& dataset, int order) {
  const auto k = static_cast<std::size_t>(order);
  GSAN_CHECK(order >= 0 && k < dataset.values.size() && dataset.values[k].defined(),
             "simplex-regression: ", dataset.name, " has no targets of order ", order, "; put targets_",
             order, ".csv there, or set simplex-regression.order");
  return dataset.values[k].to(torch::kFloat64).contiguous();
}

SimplexRegression::SimplexRegression(ValueDataset dataset, Split split,
                                     const SimplexRegressionOptions& options, const Placement& placement,
                                     const std::optional<TargetScale>& trained)
    : dataset_(std::move(dataset)),
      split_(std::move(split)),
      options_(options),
      placement_(placement),
      operators_(dataset_.complex, placement.operators()),
      targets_(simplex_targets(dataset_, options.order)),
      scale_(trained ? *trained : measure_targets(targets_.index_select(0, item_tensor(split_.train)))),
      inputs_(feature_inputs(dataset_, placement, options.structure)) {}

std::vector<std::string> SimplexRegression::notes() const {
  return structure_notes(dataset_, options_.structure, name());
}

ModelShape SimplexRegression::shape() const {
  ModelShape shape;
  shape.in_channels = widths_of(inputs_);
  shape.order = options_.order;
  shape.out_channels = 1;
  return shape;
}

Batch SimplexRegression::batch_of(const Tensor& rows) const {
  Batch batch{operators_, inputs_};
  batch.rows = rows.to(placement_.device);
  batch.targets = targets_.index_select(0, rows).to(placement_.device);
  return batch;
}

Batch SimplexRegression::batch(Phase phase, std::int64_t, std::int64_t) const {
  const Items& items = items_of(split_, phase);
  GSAN_CHECK(phase != Phase::train || !items.empty(),
             "simplex-regression: the split has no simplex to train on");
  return batch_of(item_tensor(items));
}

Tensor SimplexRegression::loss(const ModelOutput& output, const Batch& batch) const {
  return regression_loss(output, batch, scale_, options_.loss);
}

std::unique_ptr<Meter> SimplexRegression::meter(Phase) const {
  return std::make_unique<RegressionMeter>(scale_, options_.loss);
}

std::vector<std::pair<std::string, Items>> SimplexRegression::parts() const {
  return {{"train", split_.train}, {"validation", split_.validation}, {"test", split_.test}};
}

Prediction SimplexRegression::predict(Model& model) const {
  require_fit(model, shape(), dataset_.name);
  const int k = options_.order;
  const Batch batch = batch_of(torch::arange(dataset_.complex.count(k)));
  const Tensor values =
      answered_values(EvaluationPass(model).output(batch), batch).to(torch::kCPU, torch::kFloat64);
  return value_prediction(vertex_columns(k), named_simplices(dataset_.complex, k, dataset_.vertex_names),
                          scale_.from_model(values), targets_, parts());
}

std::vector<JudgedItem> SimplexRegression::worst_items(Model& model, Phase phase, std::int64_t count) const {
  const Items& items = items_of(split_, phase);
  return worst_regressed(*this, model, phase, count, scale_, [&](std::int64_t i) {
    return simplex_name(dataset_.complex, options_.order, items[static_cast<std::size_t>(i)],
                        dataset_.vertex_names);
  });
}

}  // namespace gsan
