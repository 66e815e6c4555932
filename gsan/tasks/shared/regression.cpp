#include "gsan/tasks/shared/regression.h"

#include <cmath>

#include "gsan/tasks/shared/prediction_rows.h"
#include "gsan/tasks/shared/worst_items.h"

namespace gsan {
namespace {

// Of each item; NaN where its target is.
Tensor losses(const ModelOutput& output, const Batch& batch, const TargetScale& scale, RegressionLoss kind) {
  const Tensor answers = answered_values(output, batch);
  const Tensor wanted = scale.to_model(batch.targets.to(torch::kFloat64)).to(answers.scalar_type());
  return kind == RegressionLoss::mse ? (answers - wanted).square() : (answers - wanted).abs();
}

}  // namespace

TargetScale measure_targets(const Tensor& targets) {
  if (targets.numel() == 0) return {};
  const double mean = targets.mean().item<double>();
  const double deviation = (targets - mean).square().mean().sqrt().item<double>();
  return {mean, deviation > 0 ? deviation : 1};
}

Tensor answered_values(const ModelOutput& output, const Batch& batch) {
  GSAN_CHECK(output.values.defined() && output.values.size(-1) == 1,
             "regression: the model must have a readout with out_channels = 1, got ",
             output.values.defined() ? concat(output.values.size(-1)) : "none");
  const Tensor values = output.values.reshape({-1});
  return batch.rows.defined() ? values.index_select(0, batch.rows) : values;
}

Tensor regression_loss(const ModelOutput& output, const Batch& batch, const TargetScale& scale,
                       RegressionLoss kind) {
  return losses(output, batch, scale, kind).mean();
}

void RegressionMeter::add(const ModelOutput& output, const Batch& batch) {
  const Tensor answers = answered_values(output, batch).detach().to(torch::kFloat64);
  errors_.add(scale_.from_model(answers), batch.targets);
  loss_ += losses(output, batch, scale_, kind_).detach().to(torch::kFloat64).nansum().item<double>();
}

Metrics RegressionMeter::value() const {
  Metrics metrics = value_metrics(errors_);
  metrics.emplace_back("loss", errors_.mean(loss_));
  return metrics;
}

Metrics value_metrics(const ValueErrors& errors) {
  Metrics metrics{{"mae", errors.mae()}, {"rmse", errors.rmse()}};
  if (const double r2 = errors.r2(); !std::isnan(r2)) metrics.emplace_back("r2", r2);
  return metrics;
}

Tensor quarters_of(const Tensor& targets) {
  const Tensor is_known = targets.isnan().logical_not();
  const std::int64_t known = is_known.sum().item<std::int64_t>();
  // Ranks of the known ones, equal targets in their order; NaN sorts last.
  const Tensor order = std::get<1>(targets.sort(/*stable=*/true, /*dim=*/0, /*descending=*/false));
  const Tensor ranks = torch::empty_like(order).scatter_(0, order, torch::arange(order.numel()));
  return torch::where(is_known, (ranks * 4).floor_divide(std::max<std::int64_t>(1, known)),
                      torch::full_like(ranks, unknown_label));
}

void require_different_targets(const std::string& task, const std::string& data, const Tensor& targets) {
  const Tensor known = targets.masked_select(targets.isnan().logical_not());
  GSAN_CHECK(known.numel() > 0, task, ": ", data, " has no known target to train on");
  GSAN_CHECK(!known.min().equal(known.max()), task, ": to train, at least two different targets are needed, ",
             "but all ", known.numel(), " known targets of ", data, " are ", known[0].item<double>());
}

TargetScale trained_units(const TaskSettings& settings) {
  GSAN_CHECK(settings.trained && settings.trained->targets, settings.name,
             ": the units of the answers of the model are not known, since targets.json of its run is "
             "missing; bring the file back, or train the model again");
  return *settings.trained->targets;
}

Prediction value_prediction(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                            const Tensor& values, const Tensor& targets,
                            const std::vector<std::pair<std::string, Items>>& parts) {
  Prediction prediction{std::move(columns), std::move(rows), values.unsqueeze(1)};
  add_column(prediction, "predicted", values);
  add_part_and_truth(prediction, parts, number_texts(targets));
  return prediction;
}

std::vector<JudgedItem> worst_regressed(const Task& task, Model& model, Phase phase, std::int64_t count,
                                        const TargetScale& scale,
                                        const std::function<std::string(std::int64_t)>& name) {
  std::vector<Tensor> answers, truth;
  for_each_output(task, model, phase, [&](const ModelOutput& output, const Batch& batch) {
    answers.push_back(scale.from_model(answered_values(output, batch).to(torch::kCPU, torch::kFloat64)));
    truth.push_back(batch.targets.to(torch::kCPU, torch::kFloat64));
  });
  if (answers.empty()) return {};
  return worst_valued(torch::cat(answers), torch::cat(truth), count, name);
}

}  // namespace gsan
