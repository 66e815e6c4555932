#pragma once
// What a layer of given weights does to each frequency: the gain of its terms on the eigenvectors of L_k.
//
// The gain of a term at an eigenvector u is the root of the energy that the term adds to order k when one
// input feature carries u and the others nothing, the energy being summed over the output features and
// averaged over the input feature. For a polynomial of L_k this is |Σ_p λ^p W_p|_F / √F_in exactly, a
// function of λ; with attention or a learned metric the operator is the one that a given signal makes, and
// the gain a measurement. Bias and σ have no part in it.

#include <string>
#include <vector>

#include "gsan/hodge/spectral/spectrum.h"
#include "gsan/nn/simplicial_layer.h"

namespace gsan {

struct TermResponse {
  /// "lower", "upper" or "both" (own signal), "identity", "harmonic"; "from order j": what the neighbouring
  /// order sends, whose signal is then B_k u/√λ or B_{k+1}ᵀ u/√λ, of length 1 like u.
  std::string name;
  Tensor gain;           ///< [n] float64; NaN where the neighbouring order has no such signal
  bool is_exact = true;  ///< a function of λ and the part
};

struct LayerResponse {
  int order = 0;
  Tensor frequencies;            ///< [n] λ
  std::vector<HodgePart> parts;  ///< [n]
  std::vector<TermResponse> terms;
  Tensor total;                ///< [n] gain of all terms of the order's own signal together
  bool is_exact = true;        ///< every term is
  bool reads_signals = false;  ///< attention or a metric: other signals have another response
};

/// Terms of order k that have a signal. `signals` are what the layer is given, without leading dimensions;
/// the spectrum is of L_k, complete or not. Needs taps · heads · N_k numbers for each of a block of
/// eigenvectors.
LayerResponse layer_response(const SimplicialLayerImpl& layer, const ComplexOperators& operators,
                             const Cochains& signals, int k, const HodgeSpectrum& spectrum);

}  // namespace gsan
