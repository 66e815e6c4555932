#pragma once
// What a computation must at least do, counted and not measured: the bytes of every input, output, parameter
// and table entry, once a pass, as if caches were free and intermediate results stayed in them; and the
// floating-point operations, a multiply and an add being two. The backward pass reads inputs and tables
// again, reads the gradients of the outputs and writes those of inputs and parameters.

#include "gsan/models/model.h"
#include "gsan/nn/layer_cost.h"
#include "gsan/ops/attention_powers.h"

namespace gsan::app {

struct Work {
  double bytes = 0, flops = 0;

  Work& operator+=(const Work& other) {
    bytes += other.bytes;
    flops += other.flops;
    return *this;
  }
};

enum class Passes { forward, both };  ///< both: forward and backward

/// `signals` signals on one complex; signals and weights in numbers of so many bytes. Operations of the
/// backward pass: two products for each of the forward pass, and everything along the complex once more.
Work layer_work(const SimplicialLayerOptions& options, const SimplicialComplex& complex, Passes passes,
                std::int64_t signals = 1, double bytes_per_number = 4);

/// All layers of the model's backbone; readout and optimiser are left out.
Work network_work(const ModelImpl& model, const SimplicialComplex& complex, Passes passes,
                  std::int64_t signals = 1);

}  // namespace gsan::app
