#pragma once
// The simplicial layer (spec 2–6, eq. GSCCN_layer, GSAN_layer_matrix_sep): polynomials of a shift per
// order and side, and a harmonic term,
//
//   Y_k = σ( Σ_sides Σ_p S^p Z_k W  +  Σ_sides Σ_p S^p Y_other W'  +  Q̂_k Z_k W_h  (+ Z_k W_0 + b_k) ),
//
// Y_other = B_kᵀ Z_{k−1} below and B_{k+1} Z_{k+1} above. Which terms exist and which weights
// they share is in layer_terms.h.

#include <map>
#include <string>
#include <vector>

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include "gsan/hodge/operators.h"
#include "gsan/nn/attention/attention.h"
#include "gsan/nn/forward_context.h"
#include "gsan/nn/layer_terms.h"
#include "gsan/nn/learned_metric.h"

namespace gsan {

/// α of one operator, before signs and dropout.
struct AttentionWeights {
  int order;
  Side side;
  Use use;
  Tensor receivers, sources;  ///< int32 [E]: pair e goes from sources[e] to receivers[e]
  Tensor weights;             ///< [..., E, H]
};

struct LayerOutput {
  Cochains signals;                           ///< [..., N_k, output_channels] per active order
  std::vector<AttentionWeights> attention{};  ///< if the context asks for them
  std::vector<Tensor> metric{};               ///< g of a learned metric per order, if the context diagnoses
  std::vector<Tensor> harmonic_epsilon{};     ///< ε per order, [P] or [..., P, H]; undefined where unused
};

class SimplicialLayerImpl : public torch::nn::Cloneable<SimplicialLayerImpl> {
 public:
  explicit SimplicialLayerImpl(SimplicialLayerOptions options);

  /// `signals` holds one tensor [..., N_k, in_channels] per order 0 … K; undefined = zero. Leading dimensions
  /// are many signals on one complex. The result has a tensor for each active order, also for one without
  /// simplices.
  Cochains forward(const ComplexOperators& operators, const Cochains& signals);
  LayerOutput forward(const ComplexOperators& operators, const Cochains& signals,
                      const ForwardContext& context);

  void reset() override;
  /// New first values for all parameters, from one stream.
  void reset_parameters(const RandomStream& stream);
  void pretty_print(std::ostream& stream) const override;

  const SimplicialLayerOptions& options() const { return options_; }
  const std::vector<LayerTerm>& terms() const { return terms_; }

  /// Weights by the name in LayerTerm::weight: [F_in, taps, H, F_out]; `harmonic` and `identity…`: [F_in, H,
  /// F_out].
  const Tensor& weight(const std::string& name) const;
  const Attention& attention(const std::string& name) const;
  bool has_metric() const { return !metrics_.empty(); }
  const LearnedMetric& metric(int k) const;
  const Tensor& bias(int k) const;  ///< [output_channels], or undefined

 private:
  SimplicialLayerOptions options_;
  std::vector<LayerTerm> terms_;
  std::map<std::string, Tensor> weights_;
  std::map<std::string, Attention> attention_;
  std::vector<LearnedMetric> metrics_;  // one per order, empty without learned metric
  std::vector<Tensor> biases_;          // one per order
};
TORCH_MODULE(SimplicialLayer);

}  // namespace gsan
