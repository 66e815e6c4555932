#pragma once
// What all tasks with one number per item share: targets in units of the model, loss, metrics.

#include <functional>
#include <string>
#include <vector>

#include "gsan/core/options.h"
#include "gsan/tasks/shared/target_scale.h"
#include "gsan/tasks/shared/value_errors.h"
#include "gsan/tasks/task_settings.h"

namespace gsan {

enum class RegressionLoss {
  mse,  ///< mean squared error
  l1,   ///< mean absolute error: outliers count less
};

template <>
struct EnumNames<RegressionLoss> {
  static constexpr std::pair<RegressionLoss, std::string_view> names[] = {{RegressionLoss::mse, "mse"},
                                                                          {RegressionLoss::l1, "l1"}};
};

/// One number per item in units of the model, [n]: the rows of the batch where it has some.
Tensor answered_values(const ModelOutput& output, const Batch& batch);

/// Mean over the items, in units of the model; targets of the batch are in those of the data.
Tensor regression_loss(const ModelOutput& output, const Batch& batch, const TargetScale& scale,
                       RegressionLoss kind);

/// "mae", "rmse" and, where the targets differ, "r2" in units of the data; "loss" of the model. Targets that
/// are NaN do not count.
class RegressionMeter final : public Meter {
 public:
  RegressionMeter(const TargetScale& scale, RegressionLoss kind) : scale_(scale), kind_(kind) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  Metrics value() const override;

 private:
  TargetScale scale_;
  RegressionLoss kind_;
  ValueErrors errors_;
  double loss_ = 0;
};

/// The first of them, without a loss.
Metrics value_metrics(const ValueErrors& errors);

/// Which quarter of the known targets each one is in, int64 [n] from 0; unknown_label for NaN. A split that
/// is stratified by it has small and large targets in every part.
Tensor quarters_of(const Tensor& targets);

/// An error of the task where all known targets are equal, which teaches nothing.
void require_different_targets(const std::string& task, const std::string& data, const Tensor& targets);

/// The units of the model that was trained on other data; an error where nobody knows them.
TargetScale trained_units(const TaskSettings& settings);

/// The column "predicted" behind what each row is called, then part and true target; `values` and `targets`
/// [rows], in units of the data.
Prediction value_prediction(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                            const Tensor& values, const Tensor& targets,
                            const std::vector<std::pair<std::string, Items>>& parts);

/// The items of a phase that are answered worst; `name` of the i-th, in the order of its batches.
std::vector<JudgedItem> worst_regressed(const Task& task, Model& model, Phase phase, std::int64_t count,
                                        const TargetScale& scale,
                                        const std::function<std::string(std::int64_t)>& name);

}  // namespace gsan
