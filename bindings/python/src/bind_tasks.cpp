// Tasks: which items a phase sees, loss and metrics, as in `gsan train`, and the trainer of the command.

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/tasks/shared/confusion.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/ensemble.h"
#include "gsan/train/run_curves.h"

#include "bindings/python/src/bind.h"
#include "bindings/python/src/network_model.h"
#include "bindings/python/src/train_calls.h"

namespace gsan::python {
namespace {

Phase phase_of(const std::string& name) { return parse_enum<Phase>(name, "the phase"); }

ModelOutput output_of(const std::optional<Tensor>& values, const std::vector<Signals>& layers) {
  ModelOutput output;
  output.values = to_tensor(values);
  for (const Signals& layer : layers) output.backbone.layers.push_back(to_cochains(layer));
  return output;
}

/// A task with the settings that it was made of: those of its recipe, changed by key=value texts.
class RecipeTask {
 public:
  RecipeTask(const std::string& kind, const std::string& protocol, std::vector<std::string> overrides,
             std::uint64_t seed, torch::Device device)
      : changes_(std::move(overrides)), device_(device) {
    kind_ = find_task(kind).name;
    protocol_ = parse_enum<Protocol>(protocol, "the protocol");
    changes_.push_back(concat("seed=", seed));
    settings_ = with({});
    MadeTask made = make_task(settings_.task, settings_.seed, device_);
    task_ = std::move(made.task);
    data_ = std::move(made.data);
    split_ = std::move(made.split);
  }

  const Task& task() const { return *task_; }
  torch::Device device() const { return device_; }

  /// Of the recipe, with these changes of the section `model`; the first weights are those of the command.
  std::unique_ptr<NetworkModel> model(const std::vector<std::string>& changes) const {
    const RunSettings settings = with(changes);
    return std::make_unique<NetworkModel>(
        std::make_shared<ModelImpl>(settings.model, task_->shape(), RandomStream(settings.seed, "weights")));
  }

  /// The settings of a training of this model.
  Experiment experiment(Model model, const std::vector<std::string>& changes) const {
    RunSettings settings = of_model(model->spec().name, changes);
    GSAN_CHECK(model->spec().readout == settings.model.readout, "train: ", settings.task.name,
               " needs a model with readout = ", settings.model.readout, ", got ", model->spec().readout,
               "; task.model() makes one");
    settings.model = model->spec();
    require_fit(model, task_->shape(), settings.task.data.name);
    return {std::move(settings), device_, task_, data_, std::move(model), split_};
  }

  std::string settings_text() const { return to_yaml(settings_); }

 private:
  /// The recipe for that model; changes of the section `model` were for the task's own one.
  RunSettings of_model(const std::string& name, const std::vector<std::string>& more) const {
    std::vector<std::string> all;
    for (const std::string& change : changes_)
      if (!change.starts_with("model.")) all.push_back(change);
    all.push_back(concat("model.name=", name));
    all.insert(all.end(), more.begin(), more.end());
    return recipe_settings(kind_, protocol_, all);
  }

  RunSettings with(const std::vector<std::string>& more) const {
    std::vector<std::string> all = changes_;
    all.insert(all.end(), more.begin(), more.end());
    return recipe_settings(kind_, protocol_, all);
  }

  std::string kind_;
  Protocol protocol_ = Protocol::strict;
  std::vector<std::string> changes_;
  torch::Device device_;
  RunSettings settings_;
  std::shared_ptr<const Task> task_;
  DataHashes data_;
  std::string split_;
};

// The record of the run as JSON; an interrupted one raises what interrupted it.
std::string train(const RecipeTask& task, NetworkModel& bound, const std::vector<Tensor>& tensors,
                  const std::vector<std::string>& changes, const std::optional<std::string>& output,
                  const py::object& on_epoch) {
  const c10::InferenceMode no_inference(false);
  const torch::AutoGradMode with_gradients(true);
  Experiment experiment = task.experiment(bound.module(tensors, true), changes);
  const std::vector<Tensor> parameters = experiment.model->parameters();
  GSAN_CHECK(
      std::any_of(parameters.begin(), parameters.end(), [](const Tensor& p) { return p.requires_grad(); }),
      "train: no parameter of the model requires a gradient: there is nothing to train");
  TrainCalls calls(on_epoch);
  const KeptGenerator kept;  // the trainer seeds torch's generator
  struct KeptMode {          // and validates in evaluation mode
    Model model;
    ~KeptMode() { model->train(); }
  } kept_mode{experiment.model};
  RunOutcome outcome;
  {
    const WithoutGil release;
    outcome =
        train_experiment(experiment, output ? std::optional<std::filesystem::path>(*output) : std::nullopt,
                         {task.device(), &calls, calls.stop()});
  }
  calls.raise();
  GSAN_CHECK(outcome.record.has_value(), "train: the training was interrupted");
  return record_text(*outcome.record);
}

}  // namespace

void bind_tasks(py::module_& module) {
  py::class_<Batch>(module, "TaskBatch")
      .def_property_readonly("operators", [](const Batch& batch) { return batch.operators; })
      .def_property_readonly("signals", [](const Batch& batch) { return batch.signals; })
      .def_property_readonly("targets", [](const Batch& batch) { return batch.targets; })
      .def_property_readonly("rows", [](const Batch& batch) { return batch.rows; })
      .def_property_readonly("tuples", [](const Batch& batch) { return batch.tuples; })
      .def_property_readonly("signal_keys", [](const Batch& batch) { return batch.signal_keys; });

  py::class_<Meter>(module, "Meter")
      .def(
          "add",
          [](Meter& meter, const std::optional<Tensor>& values, const std::vector<Signals>& layers,
             const Batch& batch) { meter.add(output_of(values, layers), batch); },
          py::arg("values"), py::arg("layers"), py::arg("batch"))
      .def("value", [](const Meter& meter) { return metrics_dict(meter.value()); })
      .def("details", [](const Meter& meter) { return details_text(meter.details()); });

  py::class_<RecipeTask>(module, "Task")
      .def(py::init<const std::string&, const std::string&, std::vector<std::string>, std::uint64_t,
                    torch::Device>(),
           py::arg("kind"), py::arg("protocol"), py::arg("overrides"), py::arg("seed"), py::arg("device"),
           ReleaseGil())
      .def("name", [](const RecipeTask& self) { return self.task().name(); })
      .def("settings", &RecipeTask::settings_text)
      .def("model", &RecipeTask::model, py::arg("overrides"))
      .def("train", train, py::arg("model"), py::arg("tensors"), py::arg("overrides"), py::arg("output"),
           py::arg("on_epoch"))
      .def(
          "predict",
          [](const RecipeTask& self,
             const std::vector<std::pair<NetworkModel*, std::vector<Tensor>>>& models) {
            NamedPredictions all;
            for (const auto& [model, tensors] : models) {
              Model with_tensors = model->module(tensors, false);
              all.emplace_back(concat("model ", all.size() + 1), self.task().predict(with_tensors));
            }
            const Prediction found = mean_prediction(all, self.task().class_names());
            return py::make_tuple(found.columns, found.rows, found.numbers);
          },
          py::arg("models"))
      .def(
          "confusion",
          [](const RecipeTask& self, NetworkModel& model, const std::vector<Tensor>& tensors,
             const std::string& phase) {
            Model with_tensors = model.module(tensors, false);
            const ConfusionMatrix found = confusion_matrix(self.task(), with_tensors, phase_of(phase));
            const auto classes = static_cast<std::int64_t>(found.classes.size());
            return torch::tensor(found.counts, torch::kInt64).view({classes, classes});
          },
          py::arg("model"), py::arg("tensors"), py::arg("phase"))
      .def(
          "rules",
          [](const RecipeTask& self, const std::string& phase) {
            py::dict all;
            for (const RuleResult& rule : self.task().rules(phase_of(phase)))
              all[py::str(rule.name)] = metrics_dict(rule.metrics);
            return all;
          },
          py::arg("phase"))
      .def("class_names", [](const RecipeTask& self) { return self.task().class_names(); })
      .def("item_order", [](const RecipeTask& self) { return self.task().item_order(); })
      .def(
          "batch_count",
          [](const RecipeTask& self, const std::string& phase, std::int64_t epoch) {
            return self.task().batch_count(phase_of(phase), epoch);
          },
          py::arg("phase"), py::arg("epoch"))
      .def(
          "batch",
          [](const RecipeTask& self, const std::string& phase, std::int64_t epoch, std::int64_t step) {
            const std::int64_t count = self.task().batch_count(phase_of(phase), epoch);
            GSAN_CHECK(step >= 0 && step < count, "Task: epoch ", epoch, " of ", phase, " has ", count,
                       " batches, there is no batch ", step);
            return self.task().batch(phase_of(phase), epoch, step);
          },
          py::arg("phase"), py::arg("epoch"), py::arg("step"), ReleaseGil())
      .def(
          "loss",
          [](const RecipeTask& self, const std::optional<Tensor>& values, const std::vector<Signals>& layers,
             const Batch& batch) { return self.task().loss(output_of(values, layers), batch); },
          py::arg("values"), py::arg("layers"), py::arg("batch"), ReleaseGil())
      .def(
          "meter",
          [](const RecipeTask& self, const std::string& phase) { return self.task().meter(phase_of(phase)); },
          py::arg("phase"), py::keep_alive<0, 1>())
      .def("choosing_metric", [](const RecipeTask& self) { return self.task().choosing_metric(); })
      .def("more_is_better", [](const RecipeTask& self) { return self.task().more_is_better(); })
      .def("headline_metric", [](const RecipeTask& self) { return self.task().headline_metric(); })
      .def("parts", [](const RecipeTask& self) { return self.task().parts(); })
      .def("remarks", [](const RecipeTask& self) { return self.task().remarks(); });
  module.def("task_kinds", task_names);
  module.def(
      "run_curves",
      [](const std::string& run) {
        py::list all;
        for (const RunCurve& curve : read_run_curves(run))
          all.append(py::make_tuple(curve.metric, curve.epochs, curve.values));
        return all;
      },
      py::arg("run"));
}

}  // namespace gsan::python
