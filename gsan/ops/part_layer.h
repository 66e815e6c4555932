#pragma once
// A layer on a batch of small complexes, its parts, as one call: a thread takes a few parts through all terms
// of the layer while their rows are in its cache, and nothing of the size of the batch is made but the
// result. The terms of a part that is much of the batch are shared by the threads.
//
//   y_k = σ(Σ_t Σ_p S_t^{first + p} (X_t W_{t,p}) + bias_k),   p = 0 … P − 1, over the terms t of order k
//
// with X = Z_k, or what a neighbouring order sends, and S an attentional operator with GAT scores (as in
// ops/attention_powers.h), a Laplacian (as in ops/laplacian_step.h), or none.
//
// Legend: N_k rows of order k, those of a part one after the other; F_in features come in, W = H·F leave.
// float32 and float64, one type for all. Tables are those of hodge/operators.h and are trusted.
//
// The backward pass computes the forward pass of a few parts again, which costs less than to fetch what it
// made from memory, but for the weights of attention. A row of y depends on its own part alone, to the
// bit. Gradients of weights are sums over groups of parts, in their order; the groups follow from the sizes
// of the parts, so that bits do not depend on the number of threads.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// diag(row_scale) B diag(column_scale), or |B| in the place of B; {faces, offsets, cofaces, columns} as in
/// ops/incidence.h. Scales [rows] and [columns] are undefined for ones.
struct PartIncidence {
  std::vector<at::Tensor> tables{};
  at::Tensor row_scale{}, column_scale{};
  bool absolute = false;
};

/// X of one or several terms.
struct PartInput {
  int order;                 ///< of its rows
  int source;                ///< of the signal that it is made of: order, order − 1 or order + 1
  PartIncidence coupling{};  ///< B_order: X = Bᵀ Z_{order − 1}; B_{order + 1}: X = B Z_{order + 1}
};

struct PartAttention {
  at::Tensor a{};                   ///< [H, 2D] as in ops/attention.h, D = P F
  at::Tensor offsets{}, sources{};  ///< pairs of neighbours, int64 [N + 1], int32 [E]
  at::Tensor mirror{}, mask{};      ///< with dropout: int32 [E]; [E, H]
  double negative_slope = 0.2;
  bool sigmoid = false;
};

/// S = diag(α) + diag(β) (BᵀB of the lower and B Bᵀ of the upper operator). With scales there is one of the
/// two, whose inner products are diag(own) Bᵀ diag(middle) B diag(own); β includes the outer `own`.
struct PartLaplacian {
  std::vector<at::Tensor> lower{}, upper{};  ///< tables of B_k and B_{k+1}, or empty
  at::Tensor own{}, middle{};
  double alpha = 0, beta = 1;
  at::Tensor row_alpha{}, row_beta{};  ///< [N_k]; undefined = ones
  bool absolute = false;
};

/// One of attention and laplacian, or neither: then P = 1 and first = 0.
struct PartTerm {
  std::size_t input;
  at::Tensor weight;  ///< [F_in, P, H, F]
  std::int64_t first = 0;
  std::optional<PartAttention> attention{};
  std::optional<PartLaplacian> laplacian{};
};

struct PartLayer {
  std::vector<std::vector<std::int64_t>>
      parts;                        ///< per order: where the rows of each part begin, and the end
  std::vector<at::Tensor> signals;  ///< Z_k [N_k, F_in], contiguous; undefined: none
  std::vector<PartInput> inputs;    ///< of signals that are defined
  std::vector<PartTerm> terms;
  std::vector<at::Tensor> biases;  ///< [W] per order, or undefined
  std::vector<bool> has_output;    ///< per order
  std::string activation;          ///< of ops/sum_activation.h, but for gelu
  std::int64_t heads = 1, width = 1;
  at::TensorOptions type;
};

/// Whether there is a kernel for tensors of this device.
bool has_part_layer(at::Device device);

/// What a forward pass keeps for its backward pass.
struct PartKept {
  virtual ~PartKept() = default;
};

/// y_k [N_k, W] per order; undefined where there is no output. With `kept`, it may be set.
std::vector<at::Tensor> part_layer(const PartLayer& layer, std::shared_ptr<const PartKept>* kept = nullptr);

struct PartGradients {
  std::vector<at::Tensor> signals, biases;  ///< per order, shaped as the operands; undefined where those are
                                            ///< or where nobody wants them
  std::vector<at::Tensor> weights, a;       ///< per term
};

/// For the results y of part_layer(), what it kept (null: nothing) and the gradients, which may be undefined.
/// `wanted`: of which signals the gradients are, per order.
PartGradients part_layer_backward(const PartLayer& layer, const std::vector<at::Tensor>& y,
                                  const PartKept* kept, const std::vector<at::Tensor>& gradients,
                                  const std::vector<bool>& wanted);

}  // namespace gsan::ops
