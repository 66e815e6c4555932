#include "gsan/tasks/imputation/task.h"

#include <algorithm>
#include <cmath>

#include "gsan/data/split.h"
#include "gsan/tasks/shared/prediction_rows.h"
#include "gsan/tasks/shared/worst_items.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {
namespace {

// The dataset up to order k.
ValueDataset up_to(ValueDataset dataset, int k) {
  if (k < dataset.complex.order()) dataset.complex = skeleton(dataset.complex, k).complex;
  const auto orders = static_cast<std::size_t>(std::max(k, 0)) + 1;
  for (auto* of : {&dataset.values, &dataset.source_offsets, &dataset.sources, &dataset.features})
    if (of->size() > orders) of->resize(orders);
  return dataset;
}

ValueRows value_rows(const Items& train, const Items& validation, const Items& test, const Items& known) {
  ValueRows rows;
  rows.train = rows.given = rows.seen = item_tensor(train);
  rows.validation = item_tensor(validation);
  rows.test = item_tensor(test);
  rows.known = item_tensor(known);
  return rows;
}

ValueRows divided_by_caller(const Split& split, int order) {
  GSAN_CHECK(!split.train.empty(), "imputation: no value of order ", order, " is left to train on");
  Items known = split.train;
  known.insert(known.end(), split.validation.begin(), split.validation.end());
  std::sort(known.begin(), known.end());
  return value_rows(split.train, split.validation, split.test, known);
}

ValueRows divide_strictly(const RandomStream& stream, const ImputationOptions& options,
                          const std::vector<std::int64_t>& known, const std::vector<std::int64_t>& test) {
  std::vector<std::int64_t> shuffled = known;
  RandomStream of_validation = stream.substream("validation");
  of_validation.shuffle(shuffled);
  const auto chosen = static_cast<std::ptrdiff_t>(options.validation * static_cast<double>(known.size()));
  std::vector<std::int64_t> validation(shuffled.begin(), shuffled.begin() + chosen),
      train(shuffled.begin() + chosen, shuffled.end());
  GSAN_CHECK(!train.empty(), "imputation: no value of order ", options.order, " is left to train on");
  std::sort(validation.begin(), validation.end());
  std::sort(train.begin(), train.end());
  return value_rows(train, validation, test, known);
}

}  // namespace

double median_of(const Tensor& values) {
  GSAN_CHECK(values.numel() > 0, "median_of: there is no value");
  return values.median().item<double>();
}

double fill_of(FillChoice choice, const Tensor& values) {
  switch (choice) {
    case FillChoice::median:
      return median_of(values);
    case FillChoice::mean:
      return values.mean().item<double>();
    case FillChoice::zero:
      return 0;
  }
  fail(Fault::argument, "Imputation: unknown fill ", static_cast<int>(choice));
}

Imputation::Imputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
                       const ImputationOptions& options, const Placement& placement, bool is_new_data)
    : Imputation(
          Parts{std::move(dataset), std::move(missing), std::move(stream), options, placement, is_new_data},
          [](const Parts& parts, const std::vector<std::int64_t>&, const std::vector<std::int64_t>& known,
             const std::vector<std::int64_t>& test) {
            return divide_strictly(parts.stream, parts.options, known, test);
          }) {}

std::unique_ptr<Imputation> Imputation::divided(ValueDataset dataset, Split split, RandomStream stream,
                                                const ImputationOptions& options, const Placement& placement,
                                                bool is_new_data) {
  Items test = split.test;
  Parts parts{std::move(dataset), std::move(test), std::move(stream), options,
              placement,          is_new_data,     std::move(split)};
  return std::unique_ptr<Imputation>(new Imputation(
      std::move(parts),
      [](const Parts& of, const std::vector<std::int64_t>&, const std::vector<std::int64_t>&,
         const std::vector<std::int64_t>&) { return divided_by_caller(*of.split, of.options.order); }));
}

Imputation::Imputation(Parts parts, Divide divide)
    : dataset_(up_to(parts.dataset,
                     parts.options.all_orders ? parts.dataset.complex.order() : parts.options.order + 1)),
      stream_(parts.stream),
      options_(parts.options),
      placement_(parts.placement),
      is_new_data_(parts.is_new_data),
      operators_(dataset_.complex, placement_.operators()),
      missing_(parts.missing) {
  const int k = options_.order;
  GSAN_CHECK(k >= 0 && k < static_cast<int>(dataset_.values.size()) && dataset_.values[k].defined(),
             "imputation: ", dataset_.name, " has no values of order ", k, "; set imputation.order");
  GSAN_CHECK(options_.hidden > 0 && options_.hidden < 1, "imputation.hidden must lie in (0, 1), got ",
             options_.hidden);
  GSAN_CHECK(options_.validation >= 0 && options_.validation < 1,
             "imputation.validation must lie in [0, 1), got ", options_.validation);
  GSAN_CHECK(options_.steps_per_epoch >= 1, "imputation.steps_per_epoch must be at least 1, got ",
             options_.steps_per_epoch);
  values_ = dataset_.values[k].to(torch::kFloat64).contiguous();
  const std::int64_t rows = values_.size(0);
  std::vector<bool> is_missing(static_cast<std::size_t>(rows));
  for (const std::int64_t row : missing_) {
    GSAN_CHECK(row >= 0 && row < rows, "imputation: row ", row, " of order ", k, " does not exist: it has ",
               rows);
    is_missing[row] = true;
  }
  const Tensor is_number = values_.isnan().logical_not();
  const bool* has_value = is_number.const_data_ptr<bool>();
  std::vector<std::int64_t> all, known, test;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (!has_value[i]) continue;  // unknown to everybody
    all.push_back(i);
    (is_missing[i] ? test : known).push_back(i);
  }
  rows_ = divide(parts, all, known, test);
  set_scale();
  levels_ = std::get<0>(at::_unique(values_.index_select(0, rows_.given), /*sorted=*/true));
}

void Imputation::set_scale() {
  const Tensor seen = values_.index_select(0, rows_.seen);
  fill_ = fill_of(options_.fill, seen);
  const bool is_log = options_.scale == ScaleChoice::log;
  if (is_log) {
    const double smallest = values_.masked_select(values_.isnan().logical_not()).min().item<double>();
    GSAN_CHECK(fill_ > 0 && smallest > 0, "imputation.scale = log needs values above 0, but the smallest is ",
               smallest, " and the fill ", fill_, "; set imputation.scale=standard");
  }
  if (options_.scale == ScaleChoice::none) return;
  const Tensor units = is_log ? seen.log() : seen;
  const double deviation = (units - units.mean()).square().mean().sqrt().item<double>();
  shift_ = is_log ? std::log(fill_) : fill_;
  scale_ = deviation > 0 ? deviation : 1;
}

Tensor Imputation::to_model(const Tensor& values) const {
  return ((options_.scale == ScaleChoice::log ? values.log() : values) - shift_) / scale_;
}

Tensor Imputation::from_model(const Tensor& values) const {
  const Tensor units = values * scale_ + shift_;
  return options_.scale == ScaleChoice::log ? units.exp() : units;
}

const Tensor& Imputation::rows(Phase phase) const {
  return phase == Phase::train ? rows_.train : phase == Phase::validation ? rows_.validation : rows_.test;
}

Tensor Imputation::features(int k) const {
  const auto order = static_cast<std::size_t>(k);
  if (order >= dataset_.features.size() || !dataset_.features[order].defined()) return {};
  return dataset_.features[order].to(placement_.device, placement_.type);
}

ModelShape Imputation::shape() const {
  ModelShape shape;
  shape.in_channels.clear();
  for (int order = 0; order <= dataset_.complex.order(); ++order) {
    const Tensor known = features(order);
    const int own = order == options_.order ? 1 + static_cast<int>(options_.mark) : 0;
    shape.in_channels.push_back(own + (known.defined() ? static_cast<int>(known.size(-1)) : 0));
  }
  shape.order = options_.order;
  shape.out_channels = 1;
  return shape;
}

std::int64_t Imputation::batch_count(Phase phase, std::int64_t) const {
  return phase == Phase::train ? options_.steps_per_epoch : 1;
}

// What is given: the training set without what this step hides.
Imputation::StepRows Imputation::step_rows(std::int64_t epoch, std::int64_t step) const {
  RandomStream stream = stream_.substream("hidden")
                            .substream(static_cast<std::uint64_t>(epoch))
                            .substream(static_cast<std::uint64_t>(step));
  std::vector<std::int64_t> order(rows_.train.const_data_ptr<std::int64_t>(),
                                  rows_.train.const_data_ptr<std::int64_t>() + rows_.train.numel());
  stream.shuffle(order);
  const auto count =
      static_cast<std::ptrdiff_t>(std::ceil(options_.hidden * static_cast<double>(order.size())));
  return {item_tensor(std::span(order).subspan(count)), item_tensor(std::span(order).first(count))};
}

const Tensor& Imputation::given_rows(Phase phase) const {
  return phase == Phase::test && options_.validation_at_test ? rows_.known : rows_.given;
}

Batch Imputation::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  const auto [given, counted] =
      phase == Phase::train ? step_rows(epoch, step) : StepRows{given_rows(phase), rows(phase)};
  const auto place = [&](const Tensor& x) { return x.to(placement_.device, placement_.type); };
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  for (int k = 0; k <= dataset_.complex.order(); ++k) batch.signals[k] = features(k);
  Tensor& input = batch.signals[options_.order];
  std::vector<Tensor> columns{place(to_model(fill_rule(values_, given, fill_))).unsqueeze(-1)};
  if (options_.mark) columns.push_back(place(fill_rule(torch::ones_like(values_), given, 0)).unsqueeze(-1));
  if (input.defined()) columns.push_back(input);
  input = torch::cat(columns, -1);
  batch.rows = counted.to(placement_.device);
  batch.targets = place(values_.index_select(0, counted));
  return batch;
}

Tensor Imputation::read_output(const ModelOutput& output) const {
  const Tensor y = output.values.defined() ? output.values : output.backbone.layers.back()[options_.order];
  return y.squeeze(-1);
}

Tensor Imputation::found(const ModelOutput& output) const {
  const Tensor y = read_output(output);
  if (!options_.snap) return from_model(y);
  // Nearest in the units of the model: one of the two levels around y.
  const Tensor levels = to_model(levels_), x = y.to(torch::kCPU, torch::kFloat64).contiguous();
  const Tensor above = torch::searchsorted(levels, x).clamp_max(levels.numel() - 1),
               below = (above - 1).clamp_min(0);
  const auto distance = [&](const Tensor& rows) { return (levels.index_select(0, rows) - x).abs(); };
  const Tensor nearest = torch::where(distance(below).le(distance(above)), below, above);
  return levels_.index_select(0, nearest).to(y.device());
}

double Imputation::distance(const ModelOutput& output, const Batch& batch) const {
  const Tensor found = read_output(output).index_select(0, batch.rows).to(torch::kFloat64);
  return (found - to_model(batch.targets.to(torch::kFloat64))).abs().nansum().item<double>();
}

// A mean also where the paper's code has a sum: Adam does not see the factor.
Tensor Imputation::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::l1_loss(read_output(output).index_select(0, batch.rows), to_model(batch.targets));
}

std::vector<std::pair<std::string, Items>> Imputation::parts() const {
  std::vector<std::pair<std::string, Items>> all;
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test}) {
    const Tensor& of = rows(phase);
    const auto* first = of.const_data_ptr<std::int64_t>();
    all.emplace_back(name_of(phase), Items(first, first + of.numel()));
  }
  return all;
}

std::unique_ptr<Imputation> Imputation::with_all_known() const {
  ImputationOptions all = options_;
  all.validation = 0;
  return std::make_unique<Imputation>(dataset_, std::vector<std::int64_t>(), RandomStream(0, "prediction"),
                                      all, placement_);
}

// What was given for the test part is found by the pass in which it was not.
Tensor Imputation::found_by(Model& model) const {
  const auto answers = [&](Phase phase) {
    return found(EvaluationPass(model).output(batch(phase, 0, 0))).to(torch::kCPU, torch::kFloat64);
  };
  const Tensor all = answers(Phase::test);
  if (!options_.validation_at_test || rows_.validation.numel() == 0) return all;
  const Tensor& held_out = rows_.validation;
  return all.index_copy(0, held_out, answers(Phase::validation).index_select(0, held_out));
}

Prediction Imputation::predict(Model& model) const {
  require_fit(model, shape(), dataset_.name);
  const int k = options_.order;
  const Tensor found = with_all_known()->found_by(model);
  const Tensor given = dataset_.values[static_cast<std::size_t>(k)].to(torch::kFloat64),
               known = given.isnan().logical_not();
  const Tensor value = torch::where(known, given, found), predicted = is_new_data_ ? found : found_by(model);
  Prediction prediction{vertex_columns(k), named_simplices(dataset_.complex, k, dataset_.vertex_names),
                        torch::stack({value, predicted}, 1)};
  add_column(prediction, "value", value);
  add_column(prediction, "known", known);
  add_column(prediction, "predicted", predicted);
  add_part_and_truth(prediction, is_new_data_ ? std::vector<std::pair<std::string, Items>>() : parts(),
                     number_texts(given));
  return prediction;
}

std::unique_ptr<Meter> Imputation::meter(Phase) const { return std::make_unique<ValueMeter>(this); }

std::vector<JudgedItem> Imputation::worst_items(Model& model, Phase phase, std::int64_t count) const {
  if (rows(phase).numel() == 0) return {};
  const Batch asked = batch(phase, 0, 0);
  const Tensor of_batch = asked.rows.cpu();
  const Tensor answers =
      found(EvaluationPass(model).output(asked)).cpu().to(torch::kFloat64).index_select(0, of_batch);
  const Tensor truth = values_.index_select(0, of_batch);
  return worst_valued(answers, truth, count, [&](std::int64_t i) {
    return simplex_name(dataset_.complex, options_.order, of_batch[i].item<std::int64_t>(),
                        dataset_.vertex_names);
  });
}

void ValueMeter::add(const ModelOutput& output, const Batch& batch) {
  GSAN_CHECK(task_ != nullptr, "ValueMeter: outputs of a model need the task that reads them");
  add(task_->found(output).index_select(0, batch.rows), batch.targets);
  loss_ += task_->distance(output, batch);
}

void ValueMeter::add(const Tensor& found, const Tensor& truth) { errors_.add(found, truth); }

Metrics ValueMeter::value() const {
  Metrics all{
      {"within_5_percent", errors_.within_5_percent()}, {"mae", errors_.mae()}, {"rmse", errors_.rmse()}};
  if (task_ != nullptr) all.emplace_back("loss", errors_.mean(loss_));
  return all;
}

MetricDetails ValueMeter::details() const {
  MetricDetails details{.metrics = value()};
  if (const double r2 = errors_.r2(); !std::isnan(r2))
    details.metrics.insert(details.metrics.begin() + 3, {"r2", r2});
  return details;
}

Tensor fill_rule(const Tensor& values, const Tensor& known, double fill) {
  Tensor found = torch::full_like(values, fill);
  return found.index_copy_(0, known, values.index_select(0, known));
}

}  // namespace gsan
