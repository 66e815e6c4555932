#pragma once
// Batch normalisation in a step whose batch is divided into micro-batches: statistics are those of the whole
// batch, and so are the gradients that flow through them.
//
// Forward, every micro-batch waits at a norm until all have come there; the statistics of their rows are
// gathered and added up in the order of the micro-batches. The graph of a micro-batch is cut at its norms.
// Backward, from the last norm to the first, the sums
//
//   Σ dy,  Σ dy x̂   over rows, [channels] each
//
// are gathered and added up alike, and  dx = w / s (dy − Σ dy / N − x̂ Σ (dy x̂) / N)  goes on from there. What
// a micro-batch finds is the same whoever computes it, and so are the sums.

#include <functional>
#include <memory>
#include <vector>

#include "gsan/nn/batch_norm.h"
#include "gsan/ranks/ranks.h"
#include "gsan/train/pausable_thread.h"

namespace gsan {

/// What a micro-batch contributes to a step.
struct MicroGradients {
  Tensor loss;                    ///< one number; undefined where no item falls to it
  std::vector<Tensor> gradients;  ///< as the parameters; undefined where there is none
};

class DividedNorms {
 public:
  /// `parameters`: whose gradients are wanted. Without ranks all micro-batches are this process's.
  DividedNorms(const torch::nn::Module& module, std::vector<Tensor> parameters, Ranks* ranks);
  ~DividedNorms();

  bool has_any() const { return !norms_.empty(); }

  /// Of the micro-batches `own`, in their order; `count` of them are in the step, of which rank r has r,
  /// r + size, …. `loss` is called for each in a thread of its own, one at a time. A loss that is not finite,
  /// of any micro-batch, leaves all without gradients, on every rank. Running statistics are updated.
  std::vector<MicroGradients> run(const std::vector<int>& own, int count,
                                  const std::function<Tensor(int micro_batch)>& loss);

 private:
  class Step;
  PausableThread& thread(std::size_t number);
  std::vector<BatchNormImpl*> norms_;
  std::vector<Tensor> parameters_;
  Ranks* ranks_;
  std::vector<std::unique_ptr<PausableThread>> threads_;  // one per micro-batch of this process
};

}  // namespace gsan
