#pragma once
// A training in C++ that Python started: it hears every epoch and can interrupt it.

#include <atomic>
#include <optional>

#include "gsan/tasks/shared/metrics.h"
#include "gsan/train/train_observer.h"

#include "bindings/python/src/bind.h"

namespace gsan::python {

py::dict metrics_dict(const Metrics& metrics);

/// Calls on_epoch({"epoch": …, "train.loss": …}) after every epoch, unless it is None. Ctrl-C, or an
/// exception of on_epoch, stops the training after its step; raise() then raises it in Python. Made and
/// raised with the GIL.
class __attribute__((visibility("hidden"))) TrainCalls final : public TrainObserver {
 public:
  explicit TrainCalls(py::object on_epoch) : on_epoch_(std::move(on_epoch)) {}

  void on_step(const StepReport& report) override;
  void on_epoch(const EpochReport& report) override;
  const std::atomic<bool>* stop() const { return &stop_; }
  void raise();

 private:
  template <class Action>
  void call(Action&& action);
  py::object on_epoch_;
  std::atomic<bool> stop_ = false;
  std::optional<py::error_already_set> error_;
};

/// The state of torch's default generator, put back at the end.
class KeptGenerator {
 public:
  KeptGenerator();
  ~KeptGenerator();
  KeptGenerator(const KeptGenerator&) = delete;

 private:
  Tensor state_;
};

}  // namespace gsan::python
