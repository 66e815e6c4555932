#include "apps/gsan/runner/diagnosis_report.h"

#include "gsan/core/text.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/diagnosis.h"
#include "gsan/train/experiment.h"

#include "apps/gsan/console/table.h"
#include "apps/gsan/runner/run_words.h"

namespace gsan::app {
namespace {

RunWords words_of(const DiagnosisQuestion& question, const std::string& task, const std::string& model) {
  RunWords words;
  words.words = {task};
  words.words.insert(words.words.end(), question.settings.begin(), question.settings.end());
  words.data = question.data;
  words.model = model;
  words.seed = question.seed;
  return words;
}

// The task that is asked for, or the only one that these data suit.
std::string task_of(const DiagnosisQuestion& question, torch::Device device) {
  if (!question.task.empty()) return question.task;
  std::vector<std::string> found, faults;
  for (const std::string& task : task_names()) {
    try {
      make_experiment(words_of(question, task, question.models.front()).settings(), device);
      found.push_back(task);
    } catch (const Error& error) {
      faults.push_back(concat(task, ": ", error.what()));
    }
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    fail(Fault::argument, "--data ", question.data, " suits no task:\n  ", joined(faults, "\n  "));
  fail(Fault::argument, "--data ", question.data, " suits ", joined(found), "; choose one with --task");
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json layer_json(const LayerDiagnosis& layer) {
  return {{"layer", layer.layer},
          {"activation", layer.activation},
          {"saturated", layer.saturated},
          {"spread", layer.spread},
          {"log_weight_spread", optional_json(layer.log_weight_spread)},
          {"gradient_norm", optional_json(layer.gradient_norm)},
          {"dead", layer.is_dead()},
          {"why", layer.is_dead() ? Json(layer.sentence()) : Json(nullptr)}};
}

}  // namespace

Json diagnose_models(const DiagnosisQuestion& question, torch::Device device) {
  const std::string task = task_of(question, device);
  Json report{{"task", task}, {"data", question.data}, {"models", Json::array()}};
  for (const std::string& name : question.models) {
    Experiment experiment = make_experiment(words_of(question, task, name).settings(), device);
    fit_inputs(*experiment.task, experiment.model);
    Json model{{"model", experiment.settings.model.name},
               {"parameters", experiment.model->parameter_count()},
               {"layers", Json::array()}};
    for (const LayerDiagnosis& layer : diagnose(*experiment.task, experiment.model, /*with_gradients=*/true))
      model["layers"].push_back(layer_json(layer));
    report["models"].push_back(std::move(model));
  }
  return report;
}

std::string diagnosis_text(const Json& report) {
  Table table({"before training", "layer", "saturated", "spread", "log weights", "gradient"});
  std::string dead;
  for (const Json& model : report["models"]) {
    const std::string name = model["model"];
    if (model["layers"].empty()) dead += concat(name, " has no simplicial layers to look at\n");
    for (const Json& layer : model["layers"]) {
      const auto number = [&](const char* key) {
        return layer[key].is_null() ? std::string("-") : show(layer[key]);
      };
      table.add({name, layer["layer"].dump(), concat(show(100 * layer["saturated"].get<double>()), " %"),
                 number("spread"), number("log_weight_spread"), number("gradient_norm")});
      if (layer["dead"]) dead += concat(name, ", ", layer["why"].get<std::string>(), "\n");
    }
  }
  return concat(report["task"].get<std::string>(), " on ", report["data"].get<std::string>(), "\n",
                table.text(), dead);
}

}  // namespace gsan::app
