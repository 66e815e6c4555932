#include "gsan/tasks/imputation.h"

#include <algorithm>
#include <cmath>

#include "gsan/tasks/model_inputs.h"
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

}  // namespace

double median_of(const Tensor& values) {
  GSAN_CHECK(values.numel() > 0, "median_of: there is no value");
  return values.median().item<double>();
}

namespace {

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

}  // namespace

Imputation::Imputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
                       ImputationOptions options)
    : dataset_(up_to(std::move(dataset), options.order + 1)),
      stream_(std::move(stream)),
      options_(options),
      complex_(dataset_.complex, options.placement.order, {.device = options.placement.device}),
      missing_(std::move(missing)) {
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
  known_ = item_tensor(known);
  if (is_published()) {
    GSAN_CHECK(!all.empty(), "imputation: ", dataset_.name, " has no known value of order ", k);
    const bool is_on_known = options_.loss == LossChoice::known;
    GSAN_CHECK(!is_on_known || !known.empty(), "imputation.loss = known, but no value of order ", k,
               " is known; lower imputation.missing");
    validation_ = test_ = item_tensor(all);
    given_ = known_;
    train_ = is_on_known ? given_ : test_;
  } else {
    RandomStream of_validation = stream_.substream("validation");
    of_validation.shuffle(known);
    const auto chosen = static_cast<std::ptrdiff_t>(options_.validation * static_cast<double>(known.size()));
    std::vector<std::int64_t> validation(known.begin(), known.begin() + chosen),
        train(known.begin() + chosen, known.end());
    GSAN_CHECK(!train.empty(), "imputation: no value of order ", k, " is left to train on");
    std::sort(validation.begin(), validation.end());
    std::sort(train.begin(), train.end());
    train_ = given_ = item_tensor(train);
    validation_ = item_tensor(validation);
    test_ = item_tensor(test);
  }
  const Tensor seen = values_.index_select(0, is_published() ? test_ : train_);
  fill_ = fill_of(options_.fill, seen);
  const bool is_log = options_.scale == ScaleChoice::log;
  if (is_log) {
    const double smallest = values_.index_select(0, item_tensor(all)).min().item<double>();
    GSAN_CHECK(fill_ > 0 && smallest > 0, "imputation.scale = log needs values above 0, but the smallest is ",
               smallest, " and the fill ", fill_, "; set imputation.scale=standard");
  }
  if (options_.scale != ScaleChoice::none) {
    const Tensor units = is_log ? seen.log() : seen;
    const double deviation = (units - units.mean()).square().mean().sqrt().item<double>();
    shift_ = is_log ? std::log(fill_) : fill_;
    scale_ = deviation > 0 ? deviation : 1;
  }
  levels_ = std::get<0>(at::_unique(values_.index_select(0, given_), /*sorted=*/true));
}

Tensor Imputation::to_model(const Tensor& values) const {
  return ((options_.scale == ScaleChoice::log ? values.log() : values) - shift_) / scale_;
}

Tensor Imputation::from_model(const Tensor& values) const {
  const Tensor units = values * scale_ + shift_;
  return options_.scale == ScaleChoice::log ? units.exp() : units;
}

const Tensor& Imputation::rows(Phase phase) const {
  return phase == Phase::train ? train_ : phase == Phase::validation ? validation_ : test_;
}

Tensor Imputation::features(int k) const {
  const auto order = static_cast<std::size_t>(k);
  if (is_published() || order >= dataset_.features.size() || !dataset_.features[order].defined()) return {};
  return dataset_.features[order].to(options_.placement.device, options_.placement.type);
}

ModelOptions Imputation::complete(ModelOptions options) const {
  const int k = options_.order;
  std::vector<int> widths;
  for (int order = 0; order <= dataset_.complex.order(); ++order) {
    const Tensor known = features(order);
    const int own = order == k ? 1 + static_cast<int>(options_.mark) : 0;
    widths.push_back(own + (known.defined() ? static_cast<int>(known.size(-1)) : 0));
  }
  set_inputs(options, name(), widths);
  require_read(options, name(), k);
  if (is_published() && options.backbone == BackboneKind::layers) {
    options.readout = ReadoutKind::none;
    options.network.activate_last = options.network.mean_last_heads = false;
    GSAN_CHECK(!options.network.widths.empty(), "imputation: the model has no layer");
    options.network.widths.back() = 1;
    GSAN_CHECK(options.network.layer_options(static_cast<int>(options.network.widths.size()) - 1)
                       .output_channels() == 1,
               "imputation: under the published protocol the last layer is the output, of width 1: use one "
               "head or head_mode = mean, got heads = ",
               options.network.layer.heads);
    return options;
  }
  options.readout = ReadoutKind::simplex;
  options.head.order = k;
  options.head.out_channels = 1;
  return options;
}

std::int64_t Imputation::batch_count(Phase phase, std::int64_t) const {
  return phase == Phase::train && !is_published() ? options_.steps_per_epoch : 1;
}

Batch Imputation::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  // What is given: the values to train on, in strict training without those that this step hides.
  Tensor given = given_, counted = rows(phase);
  if (phase == Phase::train && !is_published()) {
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
  const auto place = [&](const Tensor& x) {
    return x.to(options_.placement.device, options_.placement.type);
  };
  Batch batch{complex_.operators(), Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  for (int k = 0; k <= dataset_.complex.order(); ++k) batch.signals[k] = features(k);
  Tensor& input = batch.signals[options_.order];
  std::vector<Tensor> columns{place(to_model(fill_rule(values_, given, fill_))).unsqueeze(-1)};
  if (options_.mark) columns.push_back(place(fill_rule(torch::ones_like(values_), given, 0)).unsqueeze(-1));
  if (input.defined()) columns.push_back(input);
  input = torch::cat(columns, -1);
  for (int k = 0; k <= dataset_.complex.order(); ++k)
    batch.signals[k] = complex_.arranged(k, batch.signals[k]);
  batch.rows = counted.to(options_.placement.device);
  batch.targets = place(values_.index_select(0, counted));
  return batch;
}

Tensor Imputation::read_output(const ModelOutput& output) const {
  const Tensor y = output.values.defined() ? output.values : output.backbone.layers.back()[options_.order];
  return complex_.restored(options_.order, y).squeeze(-1);
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

std::string Imputation::choosing_metric() const {
  return is_published() ? "within_5_percent" : std::string(name_of(options_.choose_by));
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
  if (is_published()) all.emplace_back("missing", missing_);
  return all;
}

std::vector<std::string> Imputation::remarks() const {
  if (!is_published()) return {};
  std::vector<std::string> all{
      "The accuracy is over all simplices, known and missing: copying the damaged input scores "
      "1 - (m/N)(1 - q), q the share of values within 5 % of the fill.",
      options_.loss == LossChoice::known
          ? "The loss is on the known values, which stand in the input: it teaches to copy them."
          : "The loss is on all values: the missing ones are learned.",
      "The number is the maximum over the training steps of the accuracy that is reported, unless "
      "train.choose = last."};
  if (options_.fill != FillChoice::zero)
    all.push_back(
        concat("The fill is the ", name_of(options_.fill), " of all values, the missing ones included."));
  if (dataset_.name == "citation")
    all.emplace_back(
        "Row i of the file is taken for simplex i of the complex although the file has another order: the "
        "values are permuted.");
  return all;
}

std::vector<BaselineResult> Imputation::baselines(Phase phase) const {
  const Tensor& counted = rows(phase);
  // A rule needs no validation: what is held out at the end it answers from all that is known.
  const Tensor& given = phase == Phase::test ? known_ : given_;
  if (counted.numel() == 0 || given.numel() == 0) return {};
  const double fill = is_published() ? fill_ : fill_of(options_.fill, values_.index_select(0, given));
  const Tensor truth = values_.index_select(0, counted);
  std::vector<BaselineResult> all;
  const auto add = [&](std::string name, Tensor answer) {
    // Where the protocol counts known values too, a rule copies those that it is given.
    if (is_published()) answer = answer.index_copy(0, given, values_.index_select(0, given));
    ValueMeter meter;
    meter.add(answer.index_select(0, counted), truth);
    all.push_back({std::move(name), meter.value()});
  };
  const SimplicialComplex& complex = dataset_.complex;
  add(is_published() ? "copy of the damaged input" : concat("fill (", name_of(options_.fill), ")"),
      torch::full_like(values_, fill));
  add("neighbour mode", neighbor_mode_rule(complex, options_.order, values_, given, fill));
  add("neighbour mean", neighbor_mean_rule(complex, options_.order, values_, given, fill));
  return all;
}

std::unique_ptr<Meter> Imputation::meter(Phase) const { return std::make_unique<ValueMeter>(this); }

void ValueMeter::add(const ModelOutput& output, const Batch& batch) {
  GSAN_CHECK(task_ != nullptr, "ValueMeter: outputs of a model need the task that reads them");
  add(task_->found(output).index_select(0, batch.rows), batch.targets);
  loss_ += task_->distance(output, batch);
}

void ValueMeter::add(const Tensor& found, const Tensor& truth) {
  const Tensor known = truth.to(torch::kFloat64), is_known = known.isnan().logical_not();
  const Tensor distance = (found.to(torch::kFloat64) - known).abs().masked_select(is_known);
  rows_ += distance.numel();
  within_ += distance.le(0.05 * known.masked_select(is_known).abs()).sum().item<std::int64_t>();
  absolute_ += distance.sum().item<double>();
  squares_ += distance.square().sum().item<double>();
}

Metrics ValueMeter::value() const {
  const double count = std::max<double>(1, static_cast<double>(rows_));
  Metrics all{{"within_5_percent", 100.0 * static_cast<double>(within_) / count},
              {"mae", absolute_ / count},
              {"rmse", std::sqrt(squares_ / count)}};
  if (task_ != nullptr) all.emplace_back("loss", loss_ / count);
  return all;
}

Tensor fill_rule(const Tensor& values, const Tensor& known, double fill) {
  Tensor found = torch::full_like(values, fill);
  return found.index_copy_(0, known, values.index_select(0, known));
}

}  // namespace gsan
