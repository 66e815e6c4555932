#include "gsan/train/ensemble.h"

#include <algorithm>

#include "gsan/core/text.h"
#include "gsan/models/readout_kinds.h"
#include "gsan/tasks/shared/prediction_rows.h"

namespace gsan {
namespace {

constexpr double smallest_probability = 1e-300;  // whose logarithm is still a number

using Places = std::vector<std::size_t>;

std::size_t place_of(const std::string& column, const Prediction& prediction) {
  const auto& columns = prediction.columns;
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

// The columns that print the numbers of a prediction, in their order.
Places answer_places(const Prediction& prediction, const std::vector<std::string>& classes) {
  std::vector<std::string> names{"probability", "value", "predicted"};
  if (!classes.empty()) {
    names.clear();
    for (const std::string& name : classes) names.push_back("p_" + name);
  }
  Places places;
  for (const std::string& name : names)
    if (const std::size_t place = place_of(name, prediction); place < prediction.columns.size())
      places.push_back(place);
  GSAN_CHECK(
      prediction.numbers.dim() == 2 && static_cast<std::int64_t>(places.size()) == prediction.numbers.size(1),
      "mean_prediction: the columns ", joined(prediction.columns), " do not say which ",
      prediction.numbers.dim() == 2 ? prediction.numbers.size(1) : 0, " of them are answers");
  return places;
}

// The part of an item that is in `a` for one run and in `b` for another: where most is known of it.
std::string earlier_part(const std::string& a, const std::string& b) {
  for (const auto& [phase, name] : EnumNames<Phase>::names)
    if (a == name || b == name) return std::string(name);
  return a;
}

void require_same_rows(const NamedPredictions& all) {
  const auto& [first, one] = all.front();
  for (const auto& [name, other] : all) {
    GSAN_CHECK(one.columns == other.columns, "the runs answer in different columns: ", joined(one.columns),
               " in ", first, ", ", joined(other.columns), " in ", name);
    GSAN_CHECK(one.rows.size() == other.rows.size(), "the runs answer for different items: ", one.rows.size(),
               " in ", first, ", ", other.rows.size(), " in ", name, "; give them the same data with --data");
  }
}

// What every row is called, and the part where the runs agree least.
std::vector<std::vector<std::string>> common_rows(const NamedPredictions& all, const Places& answers) {
  const auto& [first, one] = all.front();
  std::vector<std::vector<std::string>> rows = one.rows;
  const std::size_t part = place_of("part", one);
  for (const auto& [name, other] : all)
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        if (std::find(answers.begin(), answers.end(), c) != answers.end()) continue;
        if (c == part) rows[r][c] = earlier_part(rows[r][c], other.rows[r][c]);
        GSAN_CHECK(rows[r][c] == other.rows[r][c] || c == part,
                   "the runs answer for different items: ", one.columns[c], " of row ", r + 1, " is '",
                   rows[r][c], "' in ", first, ", '", other.rows[r][c], "' in ", name,
                   "; give them the same data with --data");
      }
  return rows;
}

bool is_same_tensor(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  return !a.defined() ||
         (a.sizes() == b.sizes() && a.cpu().eq(b.cpu()).logical_or(a.cpu().ne(a.cpu())).all().item<bool>());
}

const Items& items_in(const std::vector<std::pair<std::string, Items>>& parts, Phase phase) {
  static const Items none;
  for (const auto& [name, items] : parts)
    if (name == name_of(phase)) return items;
  return none;
}

void require_same_items(const std::vector<EnsembleRun>& runs, Phase phase) {
  const Task& one = *runs.front().run.experiment.task;
  const Items items = items_in(one.parts(), phase);
  for (const EnsembleRun& other : runs)
    GSAN_CHECK(
        items_in(other.run.experiment.task->parts(), phase) == items, "eval: the ", name_of(phase),
        " part of ", runs.front().name, " is not that of ", other.name,
        ": one run would be judged on items that another was trained on; give runs of one split (values to "
        "impute are divided by the seed of the run), or new data with --data");
}

// Logits of the mean probability, or the mean value in the units of the first run's model.
Tensor mean_values(const std::vector<Tensor>& values, const EnsembleRun& run) {
  const Experiment& experiment = run.run.experiment;
  const bool has_classes = !experiment.task->class_names().empty(),
             is_binary = find_readout(experiment.model->spec().readout).takes_tuples;
  Tensor sum;
  for (const Tensor& value : values) {
    const Tensor x = value.to(torch::kFloat64);
    const Tensor answer = has_classes ? x.softmax(-1) : is_binary ? x.sigmoid() : x;
    sum = sum.defined() ? sum + answer : answer;
  }
  const Tensor mean = sum / static_cast<double>(values.size());
  const auto log_of = [](const Tensor& p) { return p.clamp_min(smallest_probability).log(); };
  if (has_classes) return log_of(mean);
  return is_binary ? log_of(mean) - log_of(1 - mean) : mean;
}

}  // namespace

Prediction mean_prediction(const NamedPredictions& all, const std::vector<std::string>& classes) {
  GSAN_CHECK(!all.empty(), "mean_prediction: there is no prediction");
  const Prediction& one = all.front().second;
  if (all.size() == 1) return one;
  require_same_rows(all);
  Places texts = answer_places(one, classes);
  const Places answers = texts;
  const std::size_t chosen = place_of("predicted", one);
  if (!classes.empty()) texts.push_back(chosen);
  Prediction mean{one.columns, common_rows(all, texts), torch::zeros_like(one.numbers)};
  for (const auto& entry : all) mean.numbers += entry.second.numbers;
  mean.numbers /= static_cast<double>(all.size());
  const Tensor numbers = mean.numbers.contiguous();
  const auto width = static_cast<std::size_t>(numbers.size(1));
  const double* number = numbers.const_data_ptr<double>();
  for (std::size_t r = 0; r < mean.rows.size(); ++r, number += width) {
    for (std::size_t j = 0; j < width; ++j) mean.rows[r][answers[j]] = number_text(number[j]);
    if (!classes.empty())
      mean.rows[r][chosen] =
          classes[static_cast<std::size_t>(std::max_element(number, number + width) - number)];
  }
  return mean;
}

void require_one_question(const std::vector<EnsembleRun>& runs) {
  const Task& one = *runs.front().run.experiment.task;
  for (const EnsembleRun& run : runs) {
    const Task& other = *run.run.experiment.task;
    GSAN_CHECK(one.name() == other.name(), "the runs have different tasks: ", one.name(), " in ",
               runs.front().name, ", ", other.name(), " in ", run.name);
    GSAN_CHECK(one.class_names() == other.class_names(),
               "the runs have different classes: ", joined(one.class_names()), " in ", runs.front().name,
               ", ", joined(other.class_names()), " in ", run.name);
  }
}

Prediction predict(std::vector<EnsembleRun>& runs) {
  require_one_question(runs);
  NamedPredictions all;
  for (EnsembleRun& run : runs)
    all.emplace_back(run.name, run.run.experiment.task->predict(run.run.experiment.model));
  return mean_prediction(all, runs.front().run.experiment.task->class_names());
}

std::unique_ptr<Meter> ensemble_meter(std::vector<EnsembleRun>& runs, Phase phase) {
  require_one_question(runs);
  require_same_items(runs, phase);
  const Task& first = *runs.front().run.experiment.task;
  auto meter = first.meter(phase);
  for (std::int64_t step = 0; step < first.batch_count(phase, 0); ++step) {
    const Batch asked = first.batch(phase, 0, step);
    std::vector<Tensor> values;
    for (EnsembleRun& run : runs) {
      Experiment& experiment = run.run.experiment;
      const Batch batch = experiment.task->batch(phase, 0, step);
      GSAN_CHECK(is_same_tensor(asked.targets, batch.targets) && is_same_tensor(asked.rows, batch.rows),
                 "eval: the runs do not go through the ", name_of(phase),
                 " part in the same steps: batch_size or the data of ", run.name, " are not those of ",
                 runs.front().name);
      const ModelOutput output = EvaluationPass(experiment.model).output(batch);
      values.push_back(output.values.defined()
                           ? output.values
                           : output.backbone.layers.back()[experiment.task->shape().order]);
      // Every run has units of its own for its targets.
      if (const auto units = experiment.task->target_scale())
        values.back() = units->from_model(values.back());
    }
    ModelOutput mean;
    mean.values = mean_values(values, runs.front());
    if (const auto units = first.target_scale()) mean.values = units->to_model(mean.values);
    meter->add(mean, asked);
  }
  return meter;
}

}  // namespace gsan
