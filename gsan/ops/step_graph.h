#pragma once
// What a step queues on a device, captured once and replayed as one launch.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// Why nothing can be captured on the device; empty: it can.
std::string why_no_graphs(at::Device device);

/// Whether sums over segments and pairs leave out the rows behind the last offset there (ops/segments.h), so
/// that tables may be padded.
bool allows_padding(at::Device device);

/// Captured work of one run, on a device where there is such a thing. Its graphs share their memory: what a
/// graph allocates holds nothing once it has run, so its results must be copied to tensors made before.
class StepGraphs {
 public:
  explicit StepGraphs(at::Device device);
  ~StepGraphs();
  StepGraphs(const StepGraphs&) = delete;
  StepGraphs& operator=(const StepGraphs&) = delete;

  /// Does the work at once, on the stream that captures: what it makes on its first use is made before a
  /// capture, which it would break. What is queued later comes after it.
  void run(const std::function<void()>& work);

  struct Captured {
    std::size_t graph = 0;
    /// The random streams that kernels draw from: a replay reads the key of stream i in keys[i].
    std::vector<std::int64_t> streams{};
  };
  /// Does not do the work. `keys`: int64, on the device. What breaks a capture, above all waiting for the
  /// device, is an Error or torch's error; graphs captured before stay as they are.
  Captured capture(const std::function<void()>& work, const at::Tensor& keys);

  void replay(std::size_t graph);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsan::ops
