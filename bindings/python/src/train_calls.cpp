#include "bindings/python/src/train_calls.h"

#include <ATen/CPUGeneratorImpl.h>

namespace gsan::python {

py::dict metrics_dict(const Metrics& metrics) {
  py::dict all;
  for (const auto& [name, value] : metrics) all[py::str(name)] = value;
  return all;
}

// With the GIL, which the training itself does not hold.
template <class Action>
void TrainCalls::call(Action&& action) {
  if (stop_) return;
  const py::gil_scoped_acquire acquire;
  try {
    action();
  } catch (py::error_already_set& error) {
    error_.emplace(std::move(error));
    stop_ = true;
  }
}

void TrainCalls::on_step(const StepReport&) {
  call([] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  });
}

void TrainCalls::on_epoch(const EpochReport& report) {
  call([&] {
    if (on_epoch_.is_none()) return;
    py::dict line = metrics_dict(report.metrics);
    line["epoch"] = report.epoch + 1;
    line["is_best"] = report.is_best;
    on_epoch_(line);
  });
}

void TrainCalls::raise() {
  if (error_) throw std::move(*error_);
}

KeptGenerator::KeptGenerator() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  state_ = generator.get_state();
}

KeptGenerator::~KeptGenerator() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(state_);
}

}  // namespace gsan::python
