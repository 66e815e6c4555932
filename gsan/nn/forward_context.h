#pragma once
// What one forward pass may be given besides operators and signals.

#include <optional>

#include <torch/types.h>

#include "gsan/core/random.h"
#include "gsan/hodge/neighborhood/star_statistics.h"

namespace gsan {

struct ForwardContext {
  /// The stream of every dropout mask of this pass (e.g. a substream per training step). In training with
  /// dropout and without a stream, one is drawn from torch's default generator.
  std::optional<RandomStream> dropout{};

  /// int64 [B]: tells the signals of a leading dimension apart in dropout masks (e.g. their numbers
  /// in a dataset); 0 … B − 1 when undefined.
  torch::Tensor signal_keys{};

  bool return_attention_weights = false;

  /// Returns what a diagnosis looks at: the metric of each order, and what σ gave before a norm or a
  /// residual.
  bool diagnose = false;

  /// How attention is computed; the result is the same within rounding.
  AttentionKernel attention_kernel = AttentionKernel::automatic;

  /// Lets small complexes go through a layer one by one, each as a whole (ops/part_layer.h), where the device
  /// has a kernel for that and the layer has such a form; the result is the same within rounding.
  bool by_parts = true;

  /// For the backward pass a network keeps the input of each layer alone, and a layer the operands of each
  /// attentional term that is one op (`gat`), and computes the rest again: more time, the memory of
  /// one term instead of that of all layers.
  bool recompute = false;

  /// Refuse signals that are not finite, naming order and row. Costs a pass over the input of each layer.
  bool check_finite = false;
};

}  // namespace gsan
