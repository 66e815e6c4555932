#pragma once
// Attention weights α over a neighbourhood (spec 3): γ_ij from the stacked products h = X W,
// softmax over N_i. The parameters belong to one order, side and use, for all heads.

#include <functional>

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include "gsan/hodge/neighborhood.h"
#include "gsan/nn/simplicial_layer_options.h"

namespace gsan {

struct AttentionOptions {
  Mechanism mechanism = Mechanism::gat;
  int heads = 1;
  int width = 1;     ///< D, length of h of one head
  int channels = 1;  ///< d of gatv2 and dot
  double negative_slope = 0.2;
  Initialization initialization = Initialization::xavier_uniform;
};

/// h M for every head: M [H, D, m] → [..., N, H, m]. The layer computes it as X (W M) without
/// touching h, or from |h| where orientation must not matter.
using ProjectFeatures = std::function<Tensor(const Tensor& matrix)>;

class AttentionImpl : public torch::nn::Cloneable<AttentionImpl> {
 public:
  explicit AttentionImpl(const AttentionOptions& options);

  void reset() override;
  void reset_parameters(const RandomStream& stream);

  /// α [..., E, H]; each row of the neighbourhood sums to 1.
  Tensor forward(const Neighborhood& neighborhood, const ProjectFeatures& project) const;

  AttentionOptions options;
  // gat:   a [H, 2D], receiving half first: γ = LReLU(a[:D]·h_i + a[D:]·h_j)
  // gatv2: M [H, 2D, d] with the rows of M_1 first, v [H, d]: γ = v·LReLU(h_i M_1 + h_j M_2)
  // dot:   Q, K [H, D, d]: γ = ⟨h_i Q, h_j K⟩ / √d
  Tensor a, M, v, Q, K;

 private:
  Tensor scores(const Neighborhood& neighborhood, const ProjectFeatures& project) const;
};
TORCH_MODULE(Attention);

}  // namespace gsan
