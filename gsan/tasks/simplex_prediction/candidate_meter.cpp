#include "gsan/tasks/simplex_prediction/candidate_meter.h"

#include <cmath>

#include "gsan/tasks/shared/auc.h"
#include "gsan/tasks/shared/average_precision.h"
#include "gsan/tasks/shared/class_scores.h"

namespace gsan {

void CandidateMeter::add(const ModelOutput& output, const Batch& batch) {
  add(output.values.squeeze(-1), batch.targets);
}

void CandidateMeter::add(const Tensor& scores, const Tensor& labels) {
  const Tensor is_known = labels.cpu().ne(unknown_label);
  scores_.push_back(scores.detach().to(torch::kCPU, torch::kFloat64).masked_select(is_known));
  labels_.push_back(labels.to(torch::kCPU, torch::kFloat64).masked_select(is_known));
}

Metrics CandidateMeter::value() const {
  Metrics metrics;
  if (scores_.empty()) return metrics;
  const Tensor scores = torch::cat(scores_), labels = torch::cat(labels_);
  if (labels.eq(1).any().item<bool>() && labels.eq(0).any().item<bool>())
    metrics.emplace_back("auc", 100 * area_under_curve(scores, labels));
  if (labels.numel() > 0)
    metrics.emplace_back("loss", torch::binary_cross_entropy_with_logits(scores, labels).item<double>());
  return metrics;
}

MetricDetails CandidateMeter::details() const {
  MetricDetails details{.metrics = value()};
  if (details.metrics.empty()) return details;
  const Tensor scores = torch::cat(scores_), labels = torch::cat(labels_);
  std::vector<std::int64_t> truth, answers;
  for (std::int64_t i = 0; i < labels.numel(); ++i) {
    truth.push_back(labels.const_data_ptr<double>()[i] == 1);
    answers.push_back(scores.const_data_ptr<double>()[i] > 0);
  }
  details.confusion = count_answers({"not in the complex", "in the complex"}, truth, answers);
  details.classes = class_scores(*details.confusion);
  const double total = static_cast<double>(details.confusion->total());
  const std::pair<std::string, double> loss = details.metrics.back();
  details.metrics.pop_back();
  if (!details.metrics.empty())
    details.metrics.emplace_back("average_precision", 100 * average_precision(scores, labels));
  details.metrics.emplace_back("accuracy", 100 * static_cast<double>(details.confusion->correct()) / total);
  details.metrics.emplace_back("balanced_accuracy", balanced_accuracy(details.classes));
  if (const double f1 = details.classes[1].f1; !std::isnan(f1)) details.metrics.emplace_back("f1", f1);
  details.metrics.push_back(loss);
  return details;
}

}  // namespace gsan
