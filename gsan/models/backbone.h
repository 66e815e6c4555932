#pragma once
// The part of a model that filters the signals of a complex, whatever it is made of. A backbone is a module
// of its own (models/backbones/) and one line of models/model_kinds.cpp.

#include <vector>

#include "gsan/hodge/operators.h"
#include "gsan/nn/simplicial_layer.h"

namespace gsan {

struct BackboneOutput {
  std::vector<Cochains> layers;                            ///< what each layer gives; the last is the result
  std::vector<std::vector<AttentionWeights>> attention{};  ///< per layer, if the context asks for them
  // Per layer, if the context diagnoses.
  std::vector<Cochains> inputs{};              ///< what it was given
  std::vector<Cochains> activations{};         ///< what σ gave
  std::vector<std::vector<Tensor>> metrics{};  ///< g per order, of learned metrics
};

class Backbone : public torch::nn::Module {
 public:
  using torch::nn::Module::Module;

  /// signals: [..., N_k, in_channels()[k]] per order, undefined = no signal.
  virtual BackboneOutput run(const ComplexOperators& operators, const Cochains& signals,
                             const ForwardContext& context) = 0;
  virtual void reset_parameters(const RandomStream& stream) = 0;

  /// Features that are read, per order 0 … K; 0 = that order is not read.
  virtual const std::vector<int>& in_channels() const = 0;
  /// Features that every layer gives.
  virtual std::vector<int> widths() const = 0;
  /// The orders that it works on, increasing: what a readout can read.
  virtual std::vector<int> orders() const = 0;
  virtual bool has_attention() const { return false; }
  /// The options of its simplicial layers, by which their cost is known; none where it has none.
  virtual std::vector<SimplicialLayerOptions> simplicial_layers() const { return {}; }
  /// Whether it drops anything in training.
  virtual bool drops() const { return false; }
};

}  // namespace gsan
