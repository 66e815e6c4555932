#pragma once
// One forward pass of a SimplicialLayer: what its terms share while they are added up.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/side_operator.h"
#include "gsan/nn/attention/detail/attentional_operator.h"
#include "gsan/nn/signals.h"
#include "gsan/nn/simplicial_layer.h"
#include "gsan/ops/branches.h"
#include "gsan/ops/part_layer.h"

namespace gsan {

/// Of the shifts that depend on the complex alone.
Normalization normalization_of(ShiftKind kind);

/// A term as a linear map, with attention and metric as the signals of one pass made them.
struct LinearTerm {
  std::string name;    ///< "lower", "upper", "both", "identity", "harmonic", "from order 0"
  int source;          ///< the order that it reads
  bool is_exact;       ///< S is a multiple of L_k^d, L_k^u or L_k, or a polynomial of it
  bool reads_signals;  ///< S depends on them
  Tensor weight;       ///< [F_in, A, H, F_out]
  /// x [N_source, H·n], block h for head h → the A signals [N_k, H·n] that the weights multiply.
  std::function<std::vector<Tensor>(const Tensor& x)> powers;
};

class LayerPass {
 public:
  /// Checks operators and signals against the options of the layer.
  /// `drop_features`: with the features' dropout of the layer, where it has any. Borrows the layer alone.
  LayerPass(const SimplicialLayerImpl& layer, const ComplexOperators& operators, const Cochains& signals,
            ForwardContext context, bool drop_features = true);
  LayerOutput run();

  /// The terms of order k whose signal is defined, as maps of any other signal. Signals without leading
  /// dimensions only. The maps borrow this pass.
  std::vector<LinearTerm> linear_terms(int k);

  /// α of these rows of order k (nn/attention_rows.h).
  std::vector<AttentionWeights> attention_of(int k, std::span<const Index> rows);

 private:
  std::vector<Tensor> order_terms(int k,
                                  ops::Branches&);  // what is added up before σ, [..., N_k, H·F_out] each
  bool shares_between_terms() const;
  Tensor term_sum(const LayerTerm& term);                        // undefined where the term's signal is
  Tensor attention_sum(const LayerTerm& term, const Tensor& x);  // the same with attention
  Tensor weighted_sum(const LayerTerm& term, std::vector<Tensor> taps);  // the same with a learned metric
  Tensor identity_term(int k) const;                                     // Z_k W_0
  Tensor harmonic_term(int k);                                           // Q̂_k Z_k W_h
  Tensor finish(int k, std::vector<Tensor> terms) const;                 // sum, heads, bias, σ
  HarmonicProjector harmonic_projector(int k);                           // notes its ε, too

  // Small complexes one by one (part_pass.cpp).
  bool goes_by_parts() const;
  void run_by_parts();
  ops::PartLayer part_layer(std::vector<Tensor>& weights,
                            std::vector<Tensor>& a);  // the parameters of each term
  std::optional<ops::PartLaplacian> part_laplacian(const LayerTerm& term) const;  // nothing: has no such form
  LinearTerm linear_term(const LayerTerm& term);
  LinearTerm linear_harmonic(int k);
  std::shared_ptr<const Shift> linear_shift(const LayerTerm& term, const Tensor& x);

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
  const ForwardContext context_;
  const bool drop_features_;
  std::optional<RandomStream> dropout_;  // set when some mask is drawn
  SignalKind kind_;                      // of all signals
  Cochains z_;                           // orders 0 … K, after feature dropout
  std::map<int, Tensor> metrics_;
  std::map<std::pair<int, torch::ScalarType>, Incidence> weighted_;
  LayerOutput output_;
};

}  // namespace gsan
