#include "gsan/train/run_warnings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "gsan/core/text.h"

namespace gsan {
namespace {

constexpr double far_above_best = 5, far_above_first = 2, far_above_training = 3;
constexpr double late = 0.75;  // of the epochs: a best one after that says that more would be better
constexpr std::size_t enough_validations = 5;
constexpr std::size_t most_listed = 8;

// Four significant digits, as tables of metrics have them.
std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

struct Point {
  std::int64_t epoch = 0;  // from 1
  double value = 0;
};

// The finite values of a metric.
std::vector<Point> course_of(const std::string& metric, const std::vector<EpochMetrics>& epochs) {
  std::vector<Point> points;
  for (const EpochMetrics& line : epochs)
    for (const auto& [name, value] : line.values)
      if (name == metric && std::isfinite(value)) points.push_back({line.epoch + 1, value});
  return points;
}

Point smallest(const std::vector<Point>& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const Point& a, const Point& b) { return a.value < b.value; });
}

// Whether a later value is better than the first.
bool improves(const std::vector<Point>& points, bool more_is_better) {
  return std::any_of(points.begin(), points.end(), [&](const Point& point) {
    return more_is_better ? point.value > points.front().value : point.value < points.front().value;
  });
}

double metric_in(const Metrics& metrics, const std::string& name) {
  for (const auto& [known, value] : metrics)
    if (known == name) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_listed);
  const std::vector<std::string> first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown));
  return shown == names.size() ? joined(first)
                               : concat(joined(first), " and ", names.size() - shown, " more");
}

std::string part_name(Phase phase) {
  return concat("the ", phase == Phase::train ? "training" : name_of(phase), " set");
}

// "class 'a' has …" or "3 classes have …: 'a', 'b', 'c'".
std::string about_classes(const std::vector<std::string>& names, const std::string& what) {
  return names.size() == 1 ? concat("class ", names.front(), " has ", what)
                           : concat(names.size(), " classes have ", what, ": ", listed(names));
}

}  // namespace

Warnings exploding_validation(const std::vector<EpochMetrics>& epochs) {
  const std::vector<Point> validation = course_of("validation.loss", epochs),
                           training = course_of("train.loss", epochs);
  for (auto line = epochs.rbegin(); line != epochs.rend(); ++line) {  // the last one that was validated
    const double value = metric_in(line->values, "validation.loss");
    if (std::isinf(value)) return {concat("validation loss is infinite in epoch ", line->epoch + 1)};
    if (std::isfinite(value)) break;
  }
  if (validation.empty()) return {};
  const Point best = smallest(validation), last = validation.back();
  if (last.value > far_above_best * best.value && last.value > far_above_first * validation.front().value)
    return {concat("validation loss exploded: ", short_number(best.value), " in epoch ", best.epoch, ", ",
                   short_number(last.value), " in epoch ", last.epoch,
                   "; try a smaller train.optimizer.learning_rate, or fewer epochs")};
  if (training.empty()) return {};
  const double worst = std::max_element(training.begin(), training.end(), [](const Point& a, const Point& b) {
                         return a.value < b.value;
                       })->value;
  if (worst > 0 && best.value > far_above_training * worst)
    return {concat("validation loss never came near that of training: ", short_number(best.value),
                   " at its best, training loss ", short_number(worst),
                   " at its worst; the two parts may hold different data, or numbers of another scale")};
  return {};
}

Warnings no_improvement(const std::vector<EpochMetrics>& epochs, const RunRecord& record) {
  const std::vector<Point> training = course_of("train.loss", epochs);
  if (training.size() >= enough_validations && !improves(training, false))
    return {concat("training loss never fell below that of the first epoch, ",
                   short_number(training.front().value),
                   ": nothing was learned; try another train.optimizer.learning_rate or another model")};
  const std::vector<Point> chosen = course_of("validation." + record.choosing_metric, epochs),
                           loss = course_of("validation.loss", epochs);
  if (chosen.size() < enough_validations || improves(chosen, record.more_is_better) || improves(loss, false))
    return {};
  return {concat("validation ", record.choosing_metric, " never improved after epoch ", chosen.front().epoch,
                 " (", short_number(chosen.front().value), ")")};
}

Warnings few_steps(const RunRecord& record, std::int64_t steps) {
  if (steps >= enough_steps || record.end != "finished" || record.best_epoch + 1 <= late * record.epochs)
    return {};
  return {concat("trained for ", steps, steps == 1 ? " step" : " steps",
                 " only, of which the last were the best", " (epoch ", record.best_epoch + 1, " of ",
                 record.epochs, "); raise train.epochs")};
}

Warnings below_a_rule(const RunRecord& record) {
  const std::string& metric = record.headline_metric;
  const double own = metric_in(record.test, metric);
  const double sign = is_error_metric(metric) ? -1 : 1;
  const RuleResult* best = nullptr;
  double of_best = own;
  for (const RuleResult& rule : record.rules) {
    const double value = metric_in(rule.metrics, metric);
    if (!std::isfinite(value) || !(sign * value > sign * of_best)) continue;
    best = &rule;
    of_best = value;
  }
  if (best == nullptr) return {};
  return {concat("loses to ", best->name, " on the test set: ", metric, " ", short_number(own), " against ",
                 short_number(of_best))};
}

Warnings constant_inputs(const std::vector<FeatureRange>& inputs) {
  bool has_any = false, has_varying = false;
  for (const FeatureRange& range : inputs)
    for (const bool is_same : range.is_constant()) has_any = true, has_varying = has_varying || !is_same;
  if (!has_any) return {};
  if (!has_varying)
    return {
        "every input is the same number everywhere in the training set: the model sees the structure of "
        "the complex alone"};
  Warnings all;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::vector<bool> is_constant = inputs[k].is_constant();
    std::vector<std::string> numbers;
    for (std::size_t f = 0; f < is_constant.size(); ++f)
      if (is_constant[f] && inputs[k].least[static_cast<std::int64_t>(f)].item<double>() != 1)
        numbers.push_back(std::to_string(f + 1));
    if (numbers.empty()) continue;
    all.push_back(numbers.size() == 1
                      ? concat("feature ", numbers.front(), " of ", is_constant.size(), " of order ", k,
                               " never varies in the training set")
                      : concat(numbers.size(), " of the ", is_constant.size(), " features of order ", k,
                               " never vary in the training set: ", listed(numbers)));
  }
  return all;
}

Warnings constant_answers(const PartView& view, const std::vector<std::string>& classes) {
  const auto is_there = [](std::int64_t count) { return count > 0; };
  if (!view.answers.empty()) {
    const auto known = std::count_if(view.labels.begin(), view.labels.end(), is_there),
               given = std::count_if(view.answers.begin(), view.answers.end(), is_there);
    if (known < 2 || given != 1) return {};
    const auto only = std::find_if(view.answers.begin(), view.answers.end(), is_there) - view.answers.begin();
    return {concat("every item of ", part_name(view.phase), " is given to class '",
                   classes[static_cast<std::size_t>(only)], "'")};
  }
  const std::vector<bool> is_constant = view.outputs.is_constant();
  if (view.outputs.rows < 2 || is_constant.empty() ||
      !std::all_of(is_constant.begin(), is_constant.end(), [](bool is_same) { return is_same; }))
    return {};
  return {concat("the model gives the same answer to every item of ", part_name(view.phase))};
}

Warnings rare_classes(const std::vector<PartView>& parts, const std::vector<std::string>& classes) {
  Warnings all;
  std::vector<std::string> singles;
  std::vector<bool> is_single(classes.size());
  const auto in_part = [](const PartView& part, std::size_t c) {
    return c < part.labels.size() ? part.labels[c] : 0;
  };
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::int64_t count = 0;
    for (const PartView& part : parts) count += in_part(part, c);
    is_single[c] = count == 1;
    if (is_single[c]) singles.push_back(concat("'", classes[c], "'"));
  }
  if (!singles.empty()) all.push_back(about_classes(singles, "a single item"));
  for (const PartView& part : parts) {
    if (!part.has_items()) continue;
    std::vector<std::string> lacking;
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (in_part(part, c) == 0 && (part.phase == Phase::train || !is_single[c]))
        lacking.push_back(concat("'", classes[c], "'"));
    if (lacking.empty()) continue;
    all.push_back(about_classes(lacking, "no item in " + part_name(part.phase)));
  }
  return all;
}

Warnings run_warnings(const RunRecord& record, const RunViews& views,
                      const std::vector<std::string>& classes) {
  Warnings all;
  const auto add = [&](const Warnings& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(rare_classes(views.parts, classes));
  if (!views.parts.empty()) {
    add(constant_inputs(views.parts.front().inputs));
    add(constant_answers(views.parts.back(), classes));
  }
  if (record.choosing_metric.empty())
    all.emplace_back("there is no validation set: the last epoch was taken, whatever it is worth");
  if (record.test.empty()) all.emplace_back("there is no test set: nothing says how good the model is");
  add(exploding_validation(views.epochs));
  add(no_improvement(views.epochs, record));
  add(few_steps(record, views.steps));
  add(below_a_rule(record));
  return all;
}

}  // namespace gsan
