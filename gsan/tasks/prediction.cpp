#include "gsan/tasks/prediction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace gsan {
namespace {

Items all_items(std::int64_t count) {
  Items items(static_cast<std::size_t>(count));
  std::iota(items.begin(), items.end(), 0);
  return items;
}

// Every item is one to be asked for; a task also wants some to train on.
Split everything(std::int64_t count) { return {all_items(count), {}, all_items(count)}; }

std::vector<std::string> numbers_below(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

// The model must be what the task would make of it for these data.
void check_fit(const Task& task, const Model& model, const std::string& data) {
  const ModelOptions made = model->options();
  const OptionMap run = to_map(made), now = to_map(task.complete(made));
  std::string faults;
  for (const auto& [name, value] : run)
    if (now.at(name) != value)
      faults += concat("\n  ", name, ": ", value, " in the model, ", now.at(name), " for the data");
  GSAN_CHECK(faults.empty(), "the model was not trained for data like ", data, ":", faults,
             "\nTrain a model on such data, or bring data like those of the run.");
}

// What `read` makes of the outputs of every batch to test, one after another.
Tensor over_batches(const Task& task, Model& model,
                    const std::function<Tensor(const ModelOutput&, const Batch&)>& read) {
  std::vector<Tensor> found;
  for_each_output(task, model, Phase::test, [&](const ModelOutput& output, const Batch& batch) {
    found.push_back(read(output, batch).to(torch::kCPU, torch::kFloat64));
  });
  return found.empty() ? Tensor() : torch::cat(found);
}

Tensor probabilities(const Task& task, Model& model, int classes) {
  const Tensor found = over_batches(task, model, [&](const ModelOutput& output, const Batch& batch) {
    return class_logits(output, batch, classes).to(torch::kFloat64).softmax(-1);
  });
  return found.defined() ? found : torch::zeros({0, classes}, torch::kFloat64);
}

// New number of each class of the data.
std::vector<std::int64_t> class_map(const std::string& data, const std::vector<std::string>& names,
                                    const std::vector<std::string>& classes) {
  std::vector<std::int64_t> map;
  for (const std::string& name : names) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    std::string known;
    for (const std::string& one : classes) known += (known.empty() ? "" : ", ") + one;
    GSAN_CHECK(found != classes.end(), data, ": the class '", name,
               "' is none of the classes of the model: ", known);
    map.push_back(found - classes.begin());
  }
  return map;
}

template <class Dataset>
void match_item_classes(Dataset& dataset, const std::vector<std::string>& classes) {
  if (dataset.class_names.empty()) dataset.class_names = numbers_below(dataset.classes);
  const std::vector<std::int64_t> map = class_map(dataset.name, dataset.class_names, classes);
  Tensor labels = dataset.labels.clone();
  auto* label = labels.template mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < labels.numel(); ++i)
    if (label[i] != unknown_label) label[i] = map[static_cast<std::size_t>(label[i])];
  dataset.labels = labels;
  dataset.classes = static_cast<int>(classes.size());
  dataset.class_names = classes;
}

}  // namespace

std::vector<std::string> class_names_of(const Task& task) {
  const auto named = [](const std::vector<std::string>& names, int count) {
    return names.empty() ? numbers_below(count) : names;
  };
  if (const auto* of_signals = dynamic_cast<const TrajectoryClassification*>(&task))
    return named(of_signals->dataset().class_names, of_signals->dataset().classes);
  if (const auto* of_complexes = dynamic_cast<const GraphClassification*>(&task))
    return named(of_complexes->dataset().class_names, of_complexes->dataset().classes);
  if (const auto* of_simplices = dynamic_cast<const SimplexClassification*>(&task))
    return of_simplices->dataset().class_names;
  return {};
}

void match_classes(SignalDataset& dataset, const std::vector<std::string>& classes) {
  match_item_classes(dataset, classes);
}

void match_classes(ComplexDataset& dataset, const std::vector<std::string>& classes) {
  match_item_classes(dataset, classes);
}

void match_classes(ValueDataset& dataset, const std::vector<std::string>& classes) {
  const std::vector<std::int64_t> map = class_map(dataset.name, dataset.class_names, classes);
  for (Tensor& values : dataset.values) {
    if (!values.defined()) continue;
    values = values.clone();
    auto* value = values.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < values.numel(); ++i)
      if (!std::isnan(value[i])) value[i] = static_cast<double>(map[static_cast<std::size_t>(value[i])]);
  }
  dataset.class_names = classes;
}

const std::vector<int>& input_widths(const ModelOptions& options) {
  return options.backbone == BackboneKind::layers ? options.network.in_channels
         : options.backbone == BackboneKind::mpsn ? options.mpsn.in_channels
                                                  : options.mlp.in_channels;
}

void add_empty_orders(ComplexDataset& dataset, const std::vector<int>& widths) {
  for (std::size_t k = dataset.widths.size(); k < widths.size(); ++k) {
    dataset.widths.push_back(widths[k]);
    for (Cochains& features : dataset.features) features.push_back(torch::zeros({0, widths[k]}));
  }
}

Tensor predict_classes(Model& model, SignalDataset dataset, const TrajectoryOptions& options,
                       const RandomStream& stream) {
  const std::int64_t count = dataset.signals.size(0);
  const int classes = dataset.classes;
  const std::string name = dataset.name;
  dataset.labels = torch::zeros({count}, torch::kInt64);
  const TrajectoryClassification task(std::move(dataset), everything(count), stream, options);
  check_fit(task, model, name);
  return probabilities(task, model, classes);
}

Tensor predict_classes(Model& model, ComplexDataset dataset, const GraphClassificationOptions& options) {
  const auto count = static_cast<std::int64_t>(dataset.complexes.size());
  const int classes = dataset.classes;
  const std::string name = dataset.name;
  add_empty_orders(dataset, input_widths(model->options()));
  dataset.labels = torch::zeros({count}, torch::kInt64);
  const GraphClassification task(std::move(dataset), everything(count), RandomStream(0, "prediction"),
                                 options);
  check_fit(task, model, name);
  return probabilities(task, model, classes);
}

Tensor predict_classes(Model& model, ValueDataset dataset, const SimplexClassificationOptions& options) {
  const int k = options.order;
  GSAN_CHECK(k <= dataset.complex.order(), dataset.name, ": classes of order ", k,
             " are asked for, but the complex ", "has only orders up to ", dataset.complex.order());
  const auto classes = static_cast<int>(dataset.class_names.size());
  const std::string name = dataset.name;
  const std::int64_t count = dataset.complex.count(k);
  dataset.values.resize(static_cast<std::size_t>(dataset.complex.order()) + 1);
  dataset.values[static_cast<std::size_t>(k)] = torch::zeros({count}, torch::kFloat64);
  const SimplexClassification task(std::move(dataset), everything(count), options);
  check_fit(task, model, name);
  return probabilities(task, model, classes);
}

Tensor predict_values(Model& model, ValueDataset dataset, const ImputationOptions& options) {
  ImputationOptions given = options;
  given.validation = 0;  // every known value is an input
  return found_values(model, Imputation(std::move(dataset), {}, RandomStream(0, "prediction"), given));
}

Tensor found_values(Model& model, const Imputation& task) {
  check_fit(task, model, task.dataset().name);
  return over_batches(task, model,
                      [&](const ModelOutput& output, const Batch&) { return task.found(output); });
}

Tensor predict_candidates(Model& model, CandidateDataset dataset, const SimplexPredictionOptions& options) {
  const std::int64_t count = dataset.complex.count(dataset.order);
  CandidateParts parts;
  const Tensor labels = dataset.labels.contiguous();
  for (std::int64_t i = 0; i < count; ++i) {
    if (!dataset.is_candidate[static_cast<std::size_t>(i)]) continue;
    parts.split.test.push_back(i);
    if (labels.const_data_ptr<std::int64_t>()[i] == 1) parts.message.push_back(i);
  }
  parts.held_out.resize(static_cast<std::size_t>(dataset.source_count));
  const Tensor rows = item_tensor(parts.split.test);
  const Tensor found =
      found_probabilities(model, SimplexPrediction(std::move(dataset), std::move(parts), options));
  return torch::full({count}, std::numeric_limits<double>::quiet_NaN(), torch::kFloat64)
      .index_copy_(0, rows, found);
}

Tensor found_probabilities(Model& model, const SimplexPrediction& task) {
  check_fit(task, model, task.dataset().name);
  return over_batches(task, model, [](const ModelOutput& output, const Batch&) {
    return output.values.squeeze(-1).to(torch::kFloat64).sigmoid();
  });
}

}  // namespace gsan
