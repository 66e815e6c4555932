// Products with their scores, then powers, and back: for every device, made of ops that have kernels
// of their own where it is worth it.

#include "gsan/ops/attention.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/composite/attention_scores.h"
#include "gsan/ops/detail/attention_checks.h"
#include "gsan/ops/detail/attention_signatures.h"
#include "gsan/ops/score_projection.h"
#include "gsan/ops/tall_products.h"

namespace gsan::ops {
namespace {

// No size is left to torch: there may be no rows or features.
at::Tensor rows_of(const at::Tensor& x) {
  const std::int64_t rows = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 1);
  return x.contiguous().view({rows, x.size(-1)});
}
at::Tensor matrix_of(const at::Tensor& weight) {
  return weight.reshape({weight.size(0), weight.size(1) * weight.size(2) * weight.size(3)}).contiguous();
}

// In the type of x.
at::Tensor stored_matrix(const AttentionFilter& f) { return matrix_of(f.weight).to(f.x.scalar_type()); }

// [columns of x, 0]: no scores beside the products.
at::Tensor no_projection(const at::Tensor& x) { return at::empty({x.size(-1), 0}, x.options()); }

AttentionOperands operands_of(const AttentionFilter& f, const at::Tensor& products, const at::Tensor& scores,
                              OptionalTensor mask, double negative_slope) {
  const std::int64_t P = f.weight.size(1), H = f.weight.size(2), F = f.weight.size(3);
  const auto shaped = [&](const at::Tensor& rows, std::initializer_list<std::int64_t> last) {
    std::vector<std::int64_t> sizes = f.x.sizes().slice(0, f.x.dim() - 1).vec();
    sizes.insert(sizes.end(), last);
    return rows.view(sizes);
  };
  const at::Tensor halves = shaped(scores, {2, H});
  return {.taps = shaped(products, {P, H * F}),
          .receiver = halves.select(-2, 0),
          .source = halves.select(-2, 1),
          .structure = f.structure,
          .mask = std::move(mask),
          .signs = f.signs,
          .first_power = f.first_power,
          .negative_slope = negative_slope,
          .sigmoid = f.sigmoid};
}

std::vector<at::Tensor> forward_of(const AttentionFilter& f, const at::Tensor& a, double negative_slope,
                                   bool keep) {
  check_attention("gsan::attention", f, a);
  const at::Tensor rows = rows_of(f.x);
  at::Tensor products, scores;
  if (f.signs) {
    const AttentionScores from{f.weight, a};
    products = tall_products(rows, stored_matrix(f), no_projection(rows)).products;
    scores = from.side_by_side(at::bmm(from.features_by_head(products), from.vectors()));
  } else {
    auto both = tall_products(rows, stored_matrix(f), score_projection(f.weight, a).contiguous());
    products = std::move(both.products), scores = std::move(both.scores);
  }
  const OptionalTensor mask = attention_mask(f);
  std::vector<at::Tensor> of_powers =
      attention_powers(operands_of(f, products, scores, mask, negative_slope), keep);
  if (!keep) return of_powers;
  std::vector<at::Tensor> kept{of_powers.front(), products, scores};
  if (mask) kept.push_back(*mask);
  kept.insert(kept.end(), of_powers.begin() + 1, of_powers.end());
  return kept;
}

std::vector<at::Tensor> forward_composite(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& a,
                                          at::TensorList structure, at::TensorList dropout_keys,
                                          std::int64_t stream, double p, const OptionalTensor& signs,
                                          std::int64_t first_power, double negative_slope, bool sigmoid,
                                          bool keep) {
  return forward_of(
      attention_filter(x, weight, structure, {dropout_keys.vec(), stream, p}, signs, first_power, sigmoid), a,
      negative_slope, keep);
}

// Without a graph there is nothing to keep or to compute again.
at::Tensor attention_composite(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& a,
                               at::TensorList structure, at::TensorList dropout_keys, std::int64_t stream,
                               double p, const OptionalTensor& signs, std::int64_t first_power,
                               double negative_slope, bool sigmoid, bool) {
  return attention_forward(
      attention_filter(x, weight, structure, {dropout_keys.vec(), stream, p}, signs, first_power, sigmoid), a,
      negative_slope, /*keep=*/false)[0];
}

// What comes back from the powers, in rows: of the products [rows, P·H·F] and of the scores [rows, 2H].
struct OfPowers {
  at::Tensor products, scores;
};

// [rows, 2H]: without a copy where a kernel put both there.
at::Tensor side_by_side(const at::Tensor& of_receiver, const at::Tensor& of_source, std::int64_t rows,
                        std::int64_t H) {
  const auto* const after =
      static_cast<const char*>(of_receiver.const_data_ptr()) + H * of_receiver.element_size();
  const bool is_done = of_receiver.is_alias_of(of_source) && of_source.const_data_ptr() == after &&
                       of_receiver.stride(-2) == 2 * H && rows > 0;
  if (is_done) return of_receiver.as_strided({rows, 2 * H}, {2 * H, 1});
  return at::cat({of_receiver.view({rows, H}), of_source.view({rows, H})}, 1);
}

OfPowers powers_backward(const at::Tensor& gradient, const AttentionFilter& f, double negative_slope,
                         const std::vector<at::Tensor>& kept) {
  const at::Tensor &products = kept[1], &scores = kept[2];
  std::vector<at::Tensor> kept_of_powers{kept[0]};
  kept_of_powers.insert(kept_of_powers.end(), kept.begin() + first_kept_of_powers(f), kept.end());
  const OptionalTensor mask = f.dropout.p > 0 ? OptionalTensor(kept[3]) : std::nullopt;
  const auto of = attention_powers_backward(gradient, operands_of(f, products, scores, mask, negative_slope),
                                            kept_of_powers);
  return {of[0].view(products.sizes()), side_by_side(of[1], of[2], products.size(0), f.weight.size(2))};
}

// Scores from |h|: all gradients go through the products.
std::vector<at::Tensor> signed_backward(const AttentionFilter& f, const at::Tensor& a, const OfPowers& of,
                                        const at::Tensor& products, const std::array<bool, 3>& needs) {
  const AttentionScores from{f.weight, a};
  const at::Tensor rows = rows_of(f.x), W = stored_matrix(f), by_head = from.by_head(of.scores);
  const at::Tensor of_features =
      from.as_weight(at::bmm(by_head, from.vectors().transpose(1, 2)), rows.size(0))
          .reshape(products.sizes());
  const at::Tensor of_products = of.products + (of_features * products.sign()).to(of.products.scalar_type());
  const TallGradients made = tall_products_backward(of_products, at::empty({rows.size(0), 0}, rows.options()),
                                                    rows, W, no_projection(rows), {needs[0], needs[1]});
  std::vector<at::Tensor> result(3);
  if (needs[0]) result[0] = made.of_x.view(f.x.sizes());
  if (needs[1]) result[1] = made.of_weight.view(f.weight.sizes()).to(f.weight.scalar_type());
  if (needs[2]) result[2] = from.as_a(at::bmm(from.features_by_head(products).transpose(1, 2), by_head));
  return result;
}

// Scores as x (W a).
std::vector<at::Tensor> plain_backward(const AttentionFilter& f, const at::Tensor& a, const OfPowers& of,
                                       const std::array<bool, 3>& needs) {
  const bool needs_sums = needs[1] || needs[2];
  TallGradients made =
      tall_products_backward(of.products, of.scores, rows_of(f.x), stored_matrix(f),
                             score_projection(f.weight, a).contiguous(), {needs[0], needs_sums});
  std::vector<at::Tensor> result(3);
  if (needs[0]) result[0] = made.of_x.view(f.x.sizes());
  if (needs[1]) result[1] = made.of_weight.view(f.weight.sizes()).to(f.weight.scalar_type());
  if (!needs_sums) return result;
  const at::Tensor of_a = score_projection_backward(result[1], made.of_projection, f.weight, a);
  if (needs[2]) result[2] = of_a;
  return result;
}

std::vector<at::Tensor> backward_composite(const at::Tensor& gradient, const at::Tensor& x,
                                           const at::Tensor& weight, const at::Tensor& a,
                                           at::TensorList structure, double p, const OptionalTensor& signs,
                                           std::int64_t first_power, double negative_slope, bool sigmoid,
                                           at::TensorList kept, std::array<bool, 3> needs) {
  const auto f = attention_filter(x, weight, structure, {.p = p}, signs, first_power, sigmoid);
  check_attention_backward(gradient, f, a, kept.vec());
  const OfPowers of = powers_backward(gradient, f, negative_slope, kept.vec());
  std::vector<at::Tensor> result =
      signs ? signed_backward(f, a, of, kept[1], needs) : plain_backward(f, a, of, needs);
  for (at::Tensor& one : result)
    if (!one.defined()) one = at::empty({0}, x.options());
  return result;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("attention", attention_composite);
  m.impl("attention_forward", forward_composite);
  m.impl("attention_backward", backward_composite);
}

}  // namespace gsan::ops
