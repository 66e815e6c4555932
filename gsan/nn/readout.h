#pragma once
// The part of a model that turns the signals of all layers into its answer, whatever it is. A readout is a
// module of its own and one line of models/readouts.def.

#include <vector>

#include <torch/nn/module.h>

#include "gsan/core/random.h"
#include "gsan/hodge/operators.h"

namespace gsan {

class Readout : public torch::nn::Module {
 public:
  using torch::nn::Module::Module;

  /// Whether the input of the model, as its backbone is given it, comes before the layers.
  virtual bool reads_input() const { return false; }

  /// One Cochains per layer. `tuples`: int64 [M, size], for readouts of tuples only.
  virtual Tensor read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
                      const Tensor& tuples) = 0;
  virtual void reset_parameters(const RandomStream& stream) = 0;
};

}  // namespace gsan
