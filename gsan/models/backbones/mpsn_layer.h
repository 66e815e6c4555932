#pragma once
// One layer of message passing simplicial networks in their GIN form: Bodnar, Frasca, Wang, Otter, Montúfar,
// Liò, Bronstein, "Weisfeiler and Lehman go topological: message passing simplicial networks", ICML 2021.
//
// Per order k, for simplex i with faces f, cofaces c and the other faces j of those cofaces,
//   b_i = MLP_B( (1 + ε_B) x_i + Σ_f x_f )
//   u_i = MLP_U( (1 + ε_U) x_i + Σ_c Σ_{j ∈ c, j ≠ i} M(x_j, x_c) ),   M(x_j, x_c) = σ(x_j W_1 + x_c W_2 + m)
//   y_i = σ( norm( [u_i ‖ b_i] W + w ) )
// MLP = Linear → norm → σ → Linear → norm → σ. These are boundary and upper messages: the sparse form of the
// paper's experiments. Signs play no part. Time and memory are linear in the incidences.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/hodge/operators.h"
#include "gsan/nn/mlp.h"

namespace gsan {

struct MpsnLayerOptions {
  int order = 2;  ///< highest order K that carries signals
  int in_channels = 1;
  int out_channels = 64;
  bool boundaries = true;        ///< false: y = u alone, nothing to combine
  bool use_coboundaries = true;  ///< messages see x_c, for k < K; false, and for k = K: M(x_j, x_c) = x_j
  double epsilon = 0;            ///< of every ε; its first value when trained
  bool train_epsilon = false;
  Activation activation = Activation::relu;
  bool batch_norm = true;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order);
    visit("in_channels", self.in_channels);
    visit("out_channels", self.out_channels);
    visit("boundaries", self.boundaries);
    visit("use_coboundaries", self.use_coboundaries);
    visit("epsilon", self.epsilon);
    visit("train_epsilon", self.train_epsilon);
    visit("activation", self.activation);
    visit("batch_norm", self.batch_norm);
  }
  void validate() const;
};

class MpsnLayerImpl : public torch::nn::Module {
 public:
  explicit MpsnLayerImpl(MpsnLayerOptions options);
  MpsnLayerImpl(MpsnLayerOptions options, const RandomStream& stream);

  /// Orders 0 … K, [..., N_k, in_channels] → [..., N_k, out_channels]; an undefined signal counts as zero.
  Cochains forward(const ComplexOperators& operators, const Cochains& x);
  void reset_parameters(const RandomStream& stream);
  void pretty_print(std::ostream& stream) const override;
  const MpsnLayerOptions& options() const { return options_; }

 private:
  struct Order {
    Linear message{nullptr};  // [x_j ‖ x_c], only where x_c is seen
    Mlp update_upper{nullptr}, update_boundary{nullptr}, combine{nullptr};
    Tensor epsilon_upper, epsilon_boundary;  // undefined unless trained
  };
  Tensor own_term(const Tensor& epsilon, const Tensor& x) const;  // (1 + ε) x
  Tensor upper_sum(const ComplexOperators& operators, int k, const Tensor& x, const Tensor& coface_x) const;
  MpsnLayerOptions options_;
  std::vector<Order> orders_;
};
TORCH_MODULE(MpsnLayer);

}  // namespace gsan
