#pragma once
// Steps of training that are captured on the device and replayed: one launch in the place of hundreds.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsan/core/stream_record.h"
#include "gsan/ops/step_graph.h"
#include "gsan/train/packed_step.h"

namespace gsan {

struct StepNumbers {
  double loss = 0;
  double norm = 0;  ///< of the gradients, before clipping
};

/// From float64 [2]; waits for their device.
StepNumbers numbers_of(const Tensor& loss_and_norm);

/// Queues a whole step on the inputs in a buffer of the device, update of the weights included, and gives
/// loss and norm, float64 [2]. Nothing that it makes is needed after it.
using QueueStep = std::function<Tensor(PackedStep& step, const Tensor& buffer, const RandomStream& dropout)>;

/// The first step of a shape (PackedStep::shape) is left to the caller. The second one is done here, and the
/// same work captured after it: a third one and those that follow are its bytes, copied to where the captured
/// work reads them, and a replay. Dropout draws other masks in every step: their keys travel with the bytes.
/// A replay does, bit for bit, what the caller would have done.
class CapturedSteps {
 public:
  CapturedSteps(torch::Device device, QueueStep queue);

  /// The numbers of the step; nothing where it is still to be done.
  std::optional<StepNumbers> run(PackedStep& step, const RandomStream& dropout);

  /// What broke a capture, after which nothing is captured or replayed any more; empty: nothing.
  const std::string& refusal() const { return refusal_; }

 private:
  static constexpr std::size_t most_graphs = 16;
  struct Shape {
    bool is_captured = false;
    std::size_t graph = 0;
    Tensor buffer{};                 // what the graph reads
    std::vector<StreamPath> keys{};  // of the streams that it draws from, from that of the step
  };
  StepNumbers begin(PackedStep& step, const RandomStream& dropout, Shape& shape);
  StepNumbers replay(PackedStep& step, const RandomStream& dropout, const Shape& shape);
  void capture(PackedStep& step, const RandomStream& dropout, Shape& shape);

  torch::Device device_;
  QueueStep queue_;
  ops::StepGraphs graphs_;
  Tensor numbers_;  // float64 [2], of the last step
  std::map<std::string, Shape> shapes_;
  std::size_t captured_ = 0;
  std::string refusal_;
};

}  // namespace gsan
