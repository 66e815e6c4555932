#pragma once
// The attentional operator A of one term of a layer (spec 3): who attends to whom, with which parameters,
// signs and dropout mask; and the filters Σ_p A^{first + p} X W_p made of it.

#include <memory>
#include <optional>

#include "gsan/hodge/neighborhood/star_statistics.h"
#include "gsan/hodge/operators.h"
#include "gsan/hodge/shift.h"
#include "gsan/nn/attention/attention.h"
#include "gsan/ops/part_layer.h"

namespace gsan {

struct AttentionalOperatorOptions {
  ComplexOperators operators;
  int order;
  Side side;
  Attention attention;
  bool is_equivariant = false;
  AttentionKernel kernel = AttentionKernel::automatic;
  bool recompute = false;  ///< an op of the whole filter keeps nothing but its operands and computes twice
  // The mask, where a stream is given.
  double dropout = 0;
  std::optional<RandomStream> stream{};
  Tensor signal_keys{};  ///< int64 [B]
};

class AttentionalOperator {
 public:
  explicit AttentionalOperator(AttentionalOperatorOptions options) : options_(std::move(options)) {}

  /// Σ_p A^{first_power + p} (x W_p): x [..., N, F_in], weight [F_in, P, H, F] → [..., N, H·F]. The op of the
  /// mechanism, or reference_filter() where it has none.
  Tensor filter(const Tensor& x, const Tensor& weight, int first_power) const;

  /// The same in ops that store what belongs to each pair; `alpha` receives α [..., E, H] before signs and
  /// mask.
  Tensor reference_filter(const Tensor& x, const Tensor& weight, int first_power,
                          Tensor* alpha = nullptr) const;

  /// A as x makes it, for any other signal: what reference_filter() is a polynomial of.
  std::unique_ptr<Shift> shift_of(const Tensor& x, const Tensor& weight) const;

  /// α [..., E, H] over any pairs of the rows of x, without signs and mask; where each row of `pairs` is a
  /// row of neighborhood(), it is the α of that row. Not differentiated.
  Tensor weights_over(const Neighborhood& pairs, const Tensor& x, const Tensor& weight) const;

  const Neighborhood& neighborhood() const;

  /// Whether A is what part_term() can say: GAT scores over pairs, for heads of so many features.
  bool has_plain_pairs(std::int64_t features) const;
  /// A for ops/part_layer.h, in numbers of this type.
  ops::PartAttention part_term(at::ScalarType type) const;

 private:
  bool has_mask() const { return options_.stream && options_.dropout > 0; }
  Tensor weights(const Neighborhood& pairs, const Tensor& x, const Tensor& weight,
                 const Tensor& products) const;  // α
  std::unique_ptr<Shift> shift(const Tensor& x, const Tensor& weight, const Tensor& products,
                               Tensor* alpha) const;
  Tensor mask(at::IntArrayRef leading, at::ScalarType type) const;  // of the pairs

  // --- operands of ops/attention.h
  bool uses_stars(std::int64_t features) const;  // of one head
  std::vector<Tensor> structure(bool stars) const;
  std::optional<Tensor> signs(bool stars) const;
  ops::AttentionDropout dropout(bool stars) const;

  AttentionalOperatorOptions options_;
};

/// X W with W [F_in, ...] seen as a matrix.
Tensor times(const Tensor& x, const Tensor& weight);

}  // namespace gsan
