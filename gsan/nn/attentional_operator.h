#pragma once
// The attentional operator A of one term of a layer (spec 3): who attends to whom, with which parameters,
// signs and dropout mask; and the filters Σ_p A^{first + p} X W_p made of it.

#include <memory>
#include <optional>

#include "gsan/hodge/operators.h"
#include "gsan/hodge/shift.h"
#include "gsan/hodge/star_statistics.h"
#include "gsan/nn/attention.h"

namespace gsan {

struct AttentionalOperatorOptions {
  ComplexOperators operators;
  int order;
  Side side;
  Attention attention;
  bool is_signed = false;
  AttentionKernel kernel = AttentionKernel::automatic;
  bool recompute = false;  ///< filter() keeps nothing but its operands and computes twice
  // The mask, where a stream is given.
  double dropout = 0;
  std::optional<RandomStream> stream{};
  Tensor signal_keys{};  ///< int64 [B]
};

/// A copy is cheap and may outlive the layer's pass: the graph keeps one for second derivatives.
class AttentionalOperator {
 public:
  explicit AttentionalOperator(AttentionalOperatorOptions options) : options_(std::move(options)) {}

  /// Whether filter() is one node with a kernel of its own: `gat` on the CPU.
  bool has_kernel() const;

  /// Σ_p A^{first_power + p} (x W_p): x [..., N, F_in], weight [F_in, P, H, F] → [..., N, H·F].
  /// Differentiable any number of times; from the second on through shift().
  Tensor filter(const Tensor& x, const Tensor& weight, int first_power) const;

  /// A itself, from the products x W as [..., N, P, H·F], in ops that store what belongs to each pair;
  /// `alpha` receives α [..., E, H] before signs and mask.
  std::unique_ptr<Shift> shift(const Tensor& x, const Tensor& weight, const Tensor& products,
                               Tensor* alpha = nullptr) const;

  /// filter() through shift().
  Tensor reference_filter(const Tensor& x, const Tensor& weight, int first_power) const;

  const AttentionalOperatorOptions& options() const { return options_; }
  const Neighborhood& neighborhood() const;
  bool uses_stars(std::int64_t features) const;  ///< of one head

  // --- operands of ops/attention.h
  std::vector<Tensor> structure(bool stars) const;
  std::optional<Tensor> signs(bool stars) const;
  std::optional<Tensor> mask(bool stars, at::IntArrayRef leading, at::ScalarType type) const;

 private:
  bool has_mask() const { return options_.stream && options_.dropout > 0; }
  AttentionalOperatorOptions options_;
};

/// X W with W [F_in, ...] seen as a matrix.
Tensor times(const Tensor& x, const Tensor& weight);

}  // namespace gsan
