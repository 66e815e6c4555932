#pragma once
// Attention weights α over a neighbourhood (spec 3): γ_ij from the stacked products h = X W,
// softmax over N_i, or a sigmoid of each γ_ij (spec 9). The parameters belong to one order, side and use, for
// all heads.

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include "gsan/nn/attention/mechanism.h"
#include "gsan/nn/simplicial_layer_options.h"

namespace gsan {

struct AttentionOptions {
  Mechanism mechanism = Mechanism::gat;
  int heads = 1;
  int width = 1;     ///< D, length of h of one head
  int channels = 1;  ///< d of gatv2 and dot
  double negative_slope = 0.2;
  Gate gate = Gate::softmax;
  Initialization initialization = Initialization::xavier_uniform;

  /// Of a term of a layer with so many taps.
  static AttentionOptions of(const SimplicialLayerOptions& layer, int taps);
};

/// Whether the op of a whole filter (mechanism.h) is given the stars of order k and not its pairs, unless a
/// kernel is asked for: where neighbours meet in faces and choose_kernel() says so. Sums of sigmoids do not
/// factor over stars.
bool attends_over_stars(int k, Side side, Gate gate, double statistic, std::int64_t features);

class AttentionImpl : public torch::nn::Cloneable<AttentionImpl> {
 public:
  explicit AttentionImpl(const AttentionOptions& options);

  void reset() override;
  void reset_parameters(const RandomStream& stream);

  /// α [..., E, H]; with a softmax each row of the neighbourhood sums to 1.
  Tensor forward(const Neighborhood& neighborhood, const ProjectFeatures& project) const;

  const AttentionMechanism& mechanism() const { return mechanism_of(options.mechanism); }
  /// One of mechanism().parameters; an error names them all.
  const Tensor& parameter(const std::string& name) const;

  AttentionOptions options;
};
TORCH_MODULE(Attention);

}  // namespace gsan
