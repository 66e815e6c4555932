#include "gsan/tasks/imputation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace gsan {
std::vector<std::int64_t> random_mask(std::int64_t rows, double percent, RandomStream stream) {
  GSAN_CHECK(percent >= 0 && percent <= 100, "random_mask: the share must lie in 0 ... 100 per cent, got ",
             percent);
  std::vector<std::int64_t> order = stream.permutation(rows);
  order.resize(static_cast<std::size_t>(std::ceil(percent * static_cast<double>(rows) / 100)));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<std::int64_t> source_mask(const ValueDataset& dataset, int order, double percent,
                                      RandomStream stream) {
  GSAN_CHECK(
      order >= 0 && order < static_cast<int>(dataset.sources.size()) && dataset.sources[order].defined(),
      "source_mask: nothing is known of the sources of order ", order, " in ", dataset.name);
  const Tensor offsets = dataset.source_offsets[order].contiguous(),
               sources = dataset.sources[order].contiguous();
  const std::int64_t rows = offsets.size(0) - 1;
  const auto* first = offsets.const_data_ptr<std::int64_t>();
  const auto* source = sources.const_data_ptr<std::int32_t>();
  std::vector<bool> is_hidden(static_cast<std::size_t>(rows));
  std::int64_t hidden = 0;
  for (const int chosen : stream.permutation(dataset.source_count)) {
    if (static_cast<double>(hidden) >= percent * static_cast<double>(rows) / 100) break;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (is_hidden[i] ||
          std::find(source + first[i], source + first[i + 1], chosen) == source + first[i + 1])
        continue;
      is_hidden[i] = true;
      ++hidden;
    }
  }
  std::vector<std::int64_t> mask;
  for (std::int64_t i = 0; i < rows; ++i)
    if (is_hidden[i]) mask.push_back(i);
  return mask;
}

double median_of(const Tensor& values) {
  GSAN_CHECK(values.numel() > 0, "median_of: there is no value");
  return values.median().item<double>();
}

Imputation::Imputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
                       ImputationOptions options)
    : dataset_(std::move(dataset)),
      stream_(std::move(stream)),
      options_(options),
      operators_(dataset_.complex, options.device) {
  const int k = options_.order;
  GSAN_CHECK(k >= 0 && k < static_cast<int>(dataset_.values.size()) && dataset_.values[k].defined(),
             "Imputation: ", dataset_.name, " has no values of order ", k);
  GSAN_CHECK(options_.hidden > 0 && options_.hidden < 1, "Imputation: hidden must lie in (0, 1), got ",
             options_.hidden);
  GSAN_CHECK(options_.validation >= 0 && options_.validation < 1,
             "Imputation: validation must lie in [0, 1), got ", options_.validation);
  values_ = dataset_.values[k].to(torch::kFloat64);
  const std::int64_t rows = values_.size(0);
  std::vector<bool> is_missing(static_cast<std::size_t>(rows));
  for (const std::int64_t row : missing) {
    GSAN_CHECK(row >= 0 && row < rows, "Imputation: row ", row, " of order ", k, " does not exist: it has ",
               rows);
    is_missing[row] = true;
  }
  const Tensor is_number = values_.isnan().logical_not();
  const bool* has_value = is_number.const_data_ptr<bool>();
  std::vector<std::int64_t> known, test;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (!has_value[i]) continue;  // unknown to everybody
    (is_missing[i] ? test : known).push_back(i);
  }
  RandomStream of_validation = stream_.substream("validation");
  of_validation.shuffle(known);
  const auto chosen = static_cast<std::ptrdiff_t>(options_.validation * static_cast<double>(known.size()));
  std::vector<std::int64_t> validation(known.begin(), known.begin() + chosen),
      train(known.begin() + chosen, known.end());
  GSAN_CHECK(!train.empty(), "Imputation: no value of order ", k, " is left to train on");
  std::sort(validation.begin(), validation.end());
  std::sort(train.begin(), train.end());
  train_ = item_tensor(train);
  validation_ = item_tensor(validation);
  test_ = item_tensor(test);
  fill_ = median_of(values_.index_select(0, train_));
}

const Tensor& Imputation::rows(Phase phase) const {
  return phase == Phase::train ? train_ : phase == Phase::validation ? validation_ : test_;
}

ModelOptions Imputation::complete(ModelOptions options) const {
  const int K = dataset_.complex.order();
  options.network.layer.order = K;
  options.network.in_channels.assign(K + 1, 0);
  options.network.in_channels[options_.order] = 1;
  options.readout = ReadoutKind::simplex;
  options.head.order = options_.order;
  options.head.out_channels = 1;
  return options;
}

std::int64_t Imputation::batch_count(Phase phase, std::int64_t) const {
  return phase == Phase::train ? options_.steps_per_epoch : 1;
}

Batch Imputation::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  // What is given: the values to train on, in training without those that this step hides.
  Tensor given = train_, counted = rows(phase);
  if (phase == Phase::train) {
    RandomStream stream = stream_.substream("hidden")
                              .substream(static_cast<std::uint64_t>(epoch))
                              .substream(static_cast<std::uint64_t>(step));
    std::vector<std::int64_t> order(train_.const_data_ptr<std::int64_t>(),
                                    train_.const_data_ptr<std::int64_t>() + train_.numel());
    stream.shuffle(order);
    const auto count =
        static_cast<std::ptrdiff_t>(std::ceil(options_.hidden * static_cast<double>(order.size())));
    counted = item_tensor(std::span(order).first(count));
    given = item_tensor(std::span(order).subspan(count));
  }
  Tensor input = torch::full_like(values_, fill_);
  input.index_copy_(0, given, values_.index_select(0, given));
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  batch.signals[options_.order] = input.unsqueeze(-1).to(options_.device, options_.type);
  batch.rows = counted.to(options_.device);
  batch.targets = values_.index_select(0, counted).to(options_.device, options_.type);
  return batch;
}

Tensor Imputation::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::l1_loss(output.values.squeeze(-1).index_select(0, batch.rows), batch.targets);
}

std::unique_ptr<Meter> Imputation::meter(Phase) const { return std::make_unique<ValueMeter>(); }

void ValueMeter::add(const ModelOutput& output, const Batch& batch) {
  add(output.values.squeeze(-1).index_select(0, batch.rows), batch.targets);
}

void ValueMeter::add(const Tensor& found, const Tensor& truth) {
  const Tensor distance = (found.to(torch::kFloat64) - truth.to(torch::kFloat64)).abs();
  rows_ += distance.numel();
  within_ += distance.le(0.05 * truth.to(torch::kFloat64).abs()).sum().item<std::int64_t>();
  absolute_ += distance.sum().item<double>();
}

Metrics ValueMeter::value() const {
  const double count = std::max<double>(1, static_cast<double>(rows_));
  return {{"within_5_percent", 100.0 * static_cast<double>(within_) / count}, {"mae", absolute_ / count}};
}

Tensor fill_rule(const Tensor& values, const Tensor& known, double fill) {
  Tensor found = torch::full_like(values, fill);
  return found.index_copy_(0, known, values.index_select(0, known));
}

Tensor neighbor_mode_rule(const SimplicialComplex& complex, int order, const Tensor& values,
                          const Tensor& known, double fill) {
  const Tensor truth = values.to(torch::kFloat64).contiguous();
  const double* value = truth.const_data_ptr<double>();
  std::vector<bool> is_known(static_cast<std::size_t>(truth.size(0)));
  const Tensor rows = known.contiguous();
  for (std::int64_t i = 0; i < rows.numel(); ++i) is_known[rows.const_data_ptr<std::int64_t>()[i]] = true;
  Tensor found = torch::full_like(truth, fill);
  double* result = found.mutable_data_ptr<double>();
  for (Index i = 0; i < complex.count(order); ++i) {
    std::map<double, int> votes;  // by increasing value: of several the smallest wins
    for (const Index coface : complex.cofaces(order, i))
      for (const Index j : complex.faces(order + 1, coface))
        if (j != i && is_known[j]) ++votes[value[j]];
    int most = 0;
    for (const auto& [candidate, count] : votes) {
      if (count <= most) continue;
      most = count;
      result[i] = candidate;
    }
  }
  return found;
}

}  // namespace gsan
