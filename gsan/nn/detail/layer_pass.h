#pragma once
// One forward pass of a SimplicialLayer: what its terms share while they are added up.

#include <map>
#include <memory>

#include "gsan/hodge/side_operator.h"
#include "gsan/nn/attention/detail/attentional_operator.h"
#include "gsan/nn/signals.h"
#include "gsan/nn/simplicial_layer.h"

namespace gsan {

class LayerPass {
 public:
  /// Checks operators and signals against the options of the layer.
  LayerPass(const SimplicialLayerImpl& layer, const ComplexOperators& operators, const Cochains& signals,
            const ForwardContext& context);
  LayerOutput run();

 private:
  std::vector<Tensor> order_terms(int k);  // what is added up before σ, [..., N_k, H·F_out] each
  Tensor term_sum(const LayerTerm& term);  // undefined where the term's signal is
  Tensor attention_sum(const LayerTerm& term, const Tensor& x);          // the same with attention
  Tensor weighted_sum(const LayerTerm& term, std::vector<Tensor> taps);  // the same with a learned metric
  Tensor identity_term(int k) const;                                     // Z_k W_0
  Tensor harmonic_term(int k);                                           // Q̂_k Z_k W_h
  Tensor finish(int k, std::vector<Tensor> terms) const;                 // sum, heads, bias, σ

  /// What the neighbouring order sends: B_kᵀ x_{k−1} or B_{k+1} x_{k+1}, with the operator of the term's
  /// shift.
  Tensor couple(const LayerTerm& term, const Tensor& x) const;
  std::unique_ptr<Shift> laplacian_shift(const LayerTerm& term) const;
  AttentionalOperator attentional_operator(const LayerTerm& term) const;

  /// W of the term, [F_in, taps, H, F_out].
  Tensor weight(const LayerTerm& term) const;
  const Incidence& weighted(int j, torch::ScalarType type);  // B_W,j, for any j ≥ 0
  const Tensor& metric(int k);                               // g of order k, [..., N_k, H]
  Incidence coupling(const LayerTerm& term) const;
  torch::ScalarType type() const;

  void check_operators() const;
  void take_signals(const Cochains& signals);
  Tensor dropped_features(int k, const Tensor& x) const;
  Tensor signal_keys() const;

  const SimplicialLayerImpl& layer_;
  const SimplicialLayerOptions& options_;
  const ComplexOperators operators_;  // without signs where the layer's incidence is unsigned
  const ForwardContext& context_;
  std::optional<RandomStream> dropout_;  // set when some mask is drawn
  SignalKind kind_;                      // of all signals
  Cochains z_;                           // orders 0 … K, after feature dropout
  std::map<int, Tensor> metrics_;
  std::map<std::pair<int, torch::ScalarType>, Incidence> weighted_;
  LayerOutput output_;
};

}  // namespace gsan
