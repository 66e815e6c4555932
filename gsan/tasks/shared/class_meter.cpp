#include "gsan/tasks/shared/class_meter.h"

#include <algorithm>
#include <cmath>

#include "gsan/tasks/shared/auc.h"
#include "gsan/tasks/shared/average_precision.h"
#include "gsan/tasks/shared/class_scores.h"

namespace gsan {
namespace {

std::vector<std::int64_t> list_of(const Tensor& numbers) {
  const Tensor list = numbers.contiguous();
  const auto* first = list.const_data_ptr<std::int64_t>();
  return {first, first + list.numel()};
}

// log p_c / (1 − p_c): increases with p_c, and tells apart what rounds to p_c = 1. Counted from the largest
// logit and with the others in order of their size, items of the same probability are tied to the last bit.
Tensor log_odds(const Tensor& logits, std::int64_t c) {
  const Tensor below = logits - logits.amax(1, /*keepdim=*/true);
  const Tensor others = torch::cat({below.slice(1, 0, c), below.slice(1, c + 1, below.size(1))}, 1);
  return below.select(1, c) - std::get<0>(others.sort(1)).logsumexp(1);
}

void add_defined(Metrics& metrics, const char* name, double value) {
  if (!std::isnan(value)) metrics.emplace_back(name, value);
}

// How well the probability of a class ranks the items.
void add_rankings(Metrics& metrics, const Tensor& logits, const Tensor& labels) {
  const bool is_binary = logits.size(1) == 2;
  Tensor is_class, odds;
  double sum = 0;
  int defined = 0;
  for (std::int64_t c = is_binary ? 1 : 0; c < logits.size(1); ++c) {
    is_class = labels.eq(c);
    const auto positives = is_class.sum().item<std::int64_t>();
    if (positives == 0 || positives == labels.numel()) continue;
    odds = log_odds(logits, c);
    if (!odds.isfinite().all().item<bool>()) continue;
    sum += area_under_curve(odds, is_class);
    ++defined;
  }
  if (defined == 0) return;
  metrics.emplace_back("auc", 100 * sum / defined);
  if (is_binary) metrics.emplace_back("average_precision", 100 * average_precision(odds, is_class));
}

}  // namespace

ClassMeter::ClassMeter(int classes) : class_names_(named_or_numbered({}, classes)) {}

void ClassMeter::add(const ModelOutput& output, const Batch& batch) {
  add(class_logits(output, batch, static_cast<int>(class_names_.size())), batch.targets);
}

void ClassMeter::add(const Tensor& answered, const Tensor& known) {
  const Tensor logits = answered.detach().cpu(), labels = known.cpu();  // its numbers are read one by one
  const Tensor is_known = labels.ne(unknown_label);
  items_ += is_known.sum().item<std::int64_t>();
  correct_ += logits.argmax(-1).eq(labels).logical_and(is_known).sum().item<std::int64_t>();
  loss_ += torch::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum, unknown_label).item<double>();
  logits_.push_back(logits.index_select(0, is_known.nonzero().squeeze(1)));
  labels_.push_back(labels.masked_select(is_known));
}

Metrics ClassMeter::value() const {
  const double count = std::max<double>(1, static_cast<double>(items_));
  return {{"accuracy", 100.0 * static_cast<double>(correct_) / count}, {"loss", loss_ / count}};
}

MetricDetails ClassMeter::details() const {
  const Metrics few = value();
  const auto classes = static_cast<std::int64_t>(class_names_.size());
  const Tensor logits = items_ > 0 ? torch::cat(logits_).to(torch::kFloat64) : torch::zeros({0, classes}),
               labels = items_ > 0 ? torch::cat(labels_) : torch::zeros({0}, torch::kInt64);
  MetricDetails details{.metrics = {few.front()}};
  details.confusion = count_answers(class_names_, list_of(labels), list_of(logits.argmax(-1)));
  details.classes = class_scores(*details.confusion);
  add_defined(details.metrics, "balanced_accuracy", balanced_accuracy(details.classes));
  add_defined(details.metrics, "macro_f1", macro_f1(details.classes));
  add_rankings(details.metrics, logits, labels);
  details.metrics.push_back(few.back());
  return details;
}

Tensor class_logits(const ModelOutput& output, const Batch& batch, int classes) {
  GSAN_CHECK(output.values.defined() && output.values.size(-1) == classes,
             "classification: the model must have a readout with out_channels = ", classes,
             " (the classes), got ", output.values.defined() ? concat(output.values.size(-1)) : "none");
  const Tensor logits = output.values.reshape({-1, classes});
  return batch.rows.defined() ? logits.index_select(0, batch.rows) : logits;
}

std::vector<std::string> named_or_numbered(const std::vector<std::string>& names, std::int64_t count) {
  if (!names.empty()) return names;
  std::vector<std::string> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace gsan
