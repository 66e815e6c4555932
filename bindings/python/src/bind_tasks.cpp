// Tasks: which items a phase sees, loss and metrics, as in `gsan train`.

#include "gsan/core/check.h"
#include "gsan/tasks/task_settings.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {
namespace {

// The options under `section`, without it; what is left belongs to other sections.
OptionMap take_section(OptionMap& options, const std::string& section) {
  OptionMap taken;
  for (auto entry = options.begin(); entry != options.end();) {
    if (entry->first.starts_with(section + ".")) {
      taken.emplace(entry->first.substr(section.size() + 1), entry->second);
      entry = options.erase(entry);
    } else {
      ++entry;
    }
  }
  return taken;
}

TaskSettings settings_of(const std::string& kind, const std::string& protocol, OptionMap options) {
  const auto name = options.find("data.name");
  const TaskKind task = parse_enum<TaskKind>(kind, "the task");
  const auto rules = parse_enum<Protocol>(protocol, "the protocol");
  static const std::map<TaskKind, std::string> usual{{TaskKind::trajectory, "flow"},
                                                     {TaskKind::imputation, "citation"},
                                                     {TaskKind::graph_classification, "proteins"},
                                                     {TaskKind::simplex_prediction, "citation"},
                                                     {TaskKind::simplex_classification, "own"}};
  TaskSettings settings =
      standard_settings(task, rules, name != options.end() ? name->second : usual.at(task));
  const auto take = [&](const std::string& section, auto& part) {
    part = from_map(take_section(options, section), section, part);
  };
  settings.data = data_from_map(take_section(options, "data"), settings.data);
  take("split", settings.split);
  switch (task) {
    case TaskKind::trajectory:
      take(kind, settings.trajectory);
      break;
    case TaskKind::imputation:
      take(kind, settings.imputation);
      break;
    case TaskKind::simplex_classification:
      take(kind, settings.simplex_classification);
      break;
    case TaskKind::graph_classification:
      take(kind, settings.graph_classification);
      break;
    case TaskKind::simplex_prediction:
      take(kind, settings.simplex_prediction);
      break;
  }
  GSAN_CHECK(options.empty(), "Task: unknown option '", options.begin()->first,
             "'; there are sections data, split and ", kind);
  return settings;
}

Phase phase_of(const std::string& name) { return parse_enum<Phase>(name, "the phase"); }

ModelOutput output_of(const std::optional<Tensor>& values, const std::vector<Signals>& layers) {
  ModelOutput output;
  output.values = to_tensor(values);
  for (const Signals& layer : layers) output.backbone.layers.push_back(to_cochains(layer));
  return output;
}

py::dict metrics_of(const Metrics& metrics) {
  py::dict all;
  for (const auto& [name, value] : metrics) all[py::str(name)] = value;
  return all;
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
      .def("value", [](const Meter& meter) { return metrics_of(meter.value()); });

  py::class_<Task>(module, "Task")
      .def(py::init([](const std::string& kind, const std::string& protocol, const OptionMap& options,
                       std::uint64_t seed, torch::Device device) {
             return make_task(settings_of(kind, protocol, options), seed, device).task;
           }),
           py::arg("kind"), py::arg("protocol"), py::arg("options"), py::arg("seed"), py::arg("device"),
           ReleaseGil())
      .def("name", &Task::name)
      .def(
          "complete",
          [](const Task& task, const OptionMap& options) {
            return to_map(task.complete(from_map<ModelOptions>(options, "Model")));
          },
          py::arg("options"))
      .def(
          "batch_count",
          [](const Task& task, const std::string& phase, std::int64_t epoch) {
            return task.batch_count(phase_of(phase), epoch);
          },
          py::arg("phase"), py::arg("epoch"))
      .def(
          "batch",
          [](const Task& task, const std::string& phase, std::int64_t epoch, std::int64_t step) {
            const std::int64_t count = task.batch_count(phase_of(phase), epoch);
            GSAN_CHECK(step >= 0 && step < count, "Task: epoch ", epoch, " of ", phase, " has ", count,
                       " batches, there is no batch ", step);
            return task.batch(phase_of(phase), epoch, step);
          },
          py::arg("phase"), py::arg("epoch"), py::arg("step"), ReleaseGil())
      .def(
          "loss",
          [](const Task& task, const std::optional<Tensor>& values, const std::vector<Signals>& layers,
             const Batch& batch) { return task.loss(output_of(values, layers), batch); },
          py::arg("values"), py::arg("layers"), py::arg("batch"), ReleaseGil())
      .def(
          "meter", [](const Task& task, const std::string& phase) { return task.meter(phase_of(phase)); },
          py::arg("phase"), py::keep_alive<0, 1>())
      .def("choosing_metric", &Task::choosing_metric)
      .def("more_is_better", &Task::more_is_better)
      .def("headline_metric", &Task::headline_metric)
      .def("parts", &Task::parts)
      .def("remarks", &Task::remarks);
}

}  // namespace gsan::python
