#pragma once
// A step whose batch is divided into micro-batches. Ranks share them out, all get the gradients of all, and
// everyone sums them in the order of the micro-batches: who computed which has no influence on the bits.

#include <functional>
#include <optional>
#include <vector>

#include "gsan/ranks/ranks.h"
#include "gsan/train/captured_steps.h"
#include "gsan/train/divided_norms.h"
#include "gsan/train/optimizer.h"
#include "gsan/train/trainable.h"

namespace gsan {

/// The micro-batches that a rank computes: consecutive ones, since halves of a batch are more even than what
/// every other quarter adds up to (ItemTask::balance).
std::vector<int> micro_batches_of(int rank, int size, int count);

/// Borrows all three; without ranks this process computes every micro-batch.
class DividedStep {
 public:
  /// `stop`: whether somebody has asked this process to stop; empty: nobody does.
  DividedStep(Trainable& trainable, Optimizer& optimizer, Ranks* ranks, std::function<bool()> stop = {});

  /// As StepRunner::run. A loss that is not finite, of any micro-batch, ends the step before its update on
  /// every rank.
  StepNumbers run(std::int64_t epoch, std::int64_t step, double factor, const RandomStream& dropout);

  /// Whether some rank was asked to stop when the gradients of the last step were exchanged: the same on
  /// every rank. Empty before the first step.
  std::optional<bool> is_asked_to_stop() const { return is_asked_; }

 private:
  MicroGradients compute(const std::function<Tensor(int)>& loss, int micro_batch);
  void store(const MicroGradients& found, std::byte* slot);
  void read_requests(const std::byte* slots);
  double sum(const std::byte* slots);

  Trainable& trainable_;
  Optimizer& optimizer_;
  Ranks* ranks_;
  int rank_ = 0, size_ = 1, count_ = 1;
  std::vector<Tensor> parameters_;  // of one type, on one device
  std::unique_ptr<DividedNorms> norms_;
  // A slot holds what one micro-batch found: its loss, a byte per parameter (whether it has a gradient), the
  // gradients one after the other. Every rank sends as many slots, though some may stay empty; the first one
  // says whether the rank was asked to stop.
  std::size_t gradients_at_ = 0, slot_bytes_ = 0, slots_ = 1;
  std::int64_t numbers_ = 0;  // of all gradients
  std::vector<std::byte> own_;
  std::function<bool()> stop_;
  std::optional<bool> is_asked_;
};

}  // namespace gsan
