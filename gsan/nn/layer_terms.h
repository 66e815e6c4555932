#pragma once
// The terms of a layer: which operators act on which signals with which weights. Parameters, forward
// pass and cost all follow this one list.

#include <string>
#include <vector>

#include "gsan/hodge/side.h"
#include "gsan/nn/simplicial_layer_options.h"

namespace gsan {

/// Whose signal a term filters: c = 1 and c = 2 of spec 3.
enum class Use {
  own = 1,       ///< Z_k, the even powers of D
  neighbor = 2,  ///< B_kᵀ Z_{k−1} or B_{k+1} Z_{k+1}, the odd powers
};

/// Σ_p S^{first + p} (X W_p), p = 0 … taps − 1, added to order k.
struct LayerTerm {
  int k;
  Side side;  ///< both: own-order terms whose sides are one operator
  Use use;
  int taps;
  int first;  ///< first power of S
  ShiftKind shift;
  std::string weight;       ///< name of the weights; terms with the same name share them
  std::string attention{};  ///< name of the attention parameters; empty when S needs none

  /// S itself occurs, not only S^0.
  bool needs_shift() const { return first + taps > 1; }
};

/// In the order in which they are added up. Terms of orders, sides or neighbours that do not exist
/// or carry no signal are left out.
std::vector<LayerTerm> layer_terms(const SimplicialLayerOptions& options);

/// Name of the identity weights of order k; the same for all orders where it is shared.
std::string identity_weight(const SimplicialLayerOptions& options, int k);

/// "lower", "upper", "both"
const char* side_name(Side side);

}  // namespace gsan
