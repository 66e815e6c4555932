#include "gsan/tasks/shared/class_rules.h"

#include "gsan/models/logistic_regression.h"
#include "gsan/models/random_forest.h"
#include "gsan/tasks/shared/classification.h"

namespace gsan {
namespace {

Metrics judge(const Tensor& logits, const Tensor& labels, int classes) {
  ClassMeter meter(classes);
  meter.add(logits, labels);
  return meter.value();
}

}  // namespace

ClassRules::ClassRules(const Tensor& labels, int classes, const Items& train, const Items& judged)
    : train_(item_tensor(train)), judged_(item_tensor(judged)), classes_(classes) {
  const Tensor all = labels.to(torch::kCPU);
  train_labels_ = all.index_select(0, train_);
  labels_ = all.index_select(0, judged_);
}

bool ClassRules::is_possible() const { return classes_ >= 2 && train_.numel() > 0 && judged_.numel() > 0; }

void ClassRules::add_majority() {
  if (!is_possible()) return;
  const Tensor shares = torch::bincount(train_labels_, {}, classes_).to(torch::kFloat64) / train_.numel();
  const Tensor logits = shares.clamp_min(1e-12).log().expand({judged_.numel(), classes_});
  results_.push_back({"majority class", judge(logits, labels_, classes_)});
}

void ClassRules::add_answers(const std::string& name, const Tensor& classes) {
  if (!is_possible()) return;
  // An answer without probabilities: its loss says nothing.
  const Metrics metrics = judge(torch::one_hot(classes, classes_).to(torch::kFloat64), labels_, classes_);
  results_.push_back({name, {metrics.front()}});
}

void ClassRules::add_logistic(const std::string& name, const Tensor& features, double C, bool standardize) {
  if (!is_possible() || features.size(1) == 0) return;
  const LogisticRegression model(features.index_select(0, train_), train_labels_, classes_,
                                 {.C = C, .standardize = standardize});
  const Tensor logits = model.logits(features.index_select(0, judged_));
  results_.push_back({name, judge(logits, labels_, classes_)});
}

void ClassRules::add_forest(const std::string& name, const Tensor& features, const RandomStream& stream) {
  if (!is_possible() || features.size(1) == 0) return;
  const RandomForest forest(features.index_select(0, train_), train_labels_, classes_, stream);
  const Tensor shares = forest.probabilities(features.index_select(0, judged_));
  results_.push_back({name, judge(shares.clamp_min(1e-3).log(), labels_, classes_)});
}

}  // namespace gsan
