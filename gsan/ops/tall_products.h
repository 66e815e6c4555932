#pragma once
// Products of a tall matrix with two small ones in one pass over its rows: the products of a layer and the
// scores of its attention, and back. Blocks of rows stay in a cache while everything is made of them; apart,
// each of the passes would wait for memory.
//
// Registered as torch.ops.gsan.tall_products and tall_products_backward: blocks of rows on the CPU (float32,
// float64), where sums over rows run over fixed blocks, so that bits do not depend on the number of threads;
// narrow_products.h and torch's matrix products elsewhere. No gradient.
//
// Legend: x [rows, K], weight [K, C] and projection [K, S], contiguous; S is small and may be 0.

#include <array>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

struct TallProducts {
  at::Tensor products, scores;  ///< x weight [rows, C], x projection [rows, S]
};

TallProducts tall_products(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& projection);

struct TallGradients {
  at::Tensor of_x, of_weight, of_projection;  ///< empty unless asked for
};

/// `needs`: the gradient in x, those in weight and projection.
TallGradients tall_products_backward(const at::Tensor& of_products, const at::Tensor& of_scores,
                                     const at::Tensor& x, const at::Tensor& weight,
                                     const at::Tensor& projection, std::array<bool, 2> needs);

}  // namespace gsan::ops
