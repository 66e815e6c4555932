#pragma once
// Work of a step that does not depend on each other, such as the terms of a layer. Inside StepGraphs
// (ops/step_graph.h) it is queued side by side, so that a captured step is as long as its longest chain of
// kernels and not as all of them; elsewhere one after the other. Each kernel computes the same either way.

#include <functional>
#include <memory>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

class Branches {
 public:
  Branches();
  /// Joins.
  ~Branches();
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;

  /// Does the work; what it queues may run beside that of other calls and after all that was queued before
  /// this object. `inputs`: what it reads that was made before. What it makes may be read after join(), or by
  /// itself; its gradients are queued likewise, by torch.
  void run(at::TensorList inputs, const std::function<void()>& work);

  /// What is queued from here on runs after all of it.
  void join();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsan::ops
