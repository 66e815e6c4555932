#include "gsan/nn/attention_node.h"

#include <algorithm>
#include <array>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gsan/ops/attention.h"
#include "gsan/ops/block_pool.h"
#include "gsan/ops/narrow_products.h"

namespace gsan {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The scores s = h a_1 and t = h a_2 of every head side by side, [rows, 2H], where h [rows, H, D] are the
// stacked products: as X (W a) without touching h, or from |h| where orientation must not matter (spec 3,
// `signed`). Legend: A_h [H, D, 2] is a; W_h [H, F_in, D].
struct Scores {
  const Tensor &x, &weight, &a, &products;  // [rows, F_in], [F_in, P, H, F], [H, 2D], [rows, P, H·F]
  std::int64_t heads = weight.size(2), width = weight.size(1) * weight.size(3);

  Tensor vectors() const { return a.view({heads, 2, width}).transpose(1, 2); }
  Tensor weight_by_head() const {
    return weight.permute({2, 0, 1, 3}).reshape({heads, weight.size(0), width});
  }
  // [F_in or rows, 2H] ↔ [H, F_in or rows, 2]
  Tensor side_by_side(const Tensor& by_head) const {
    return by_head.permute({1, 2, 0}).reshape({by_head.size(1), 2 * heads});
  }
  Tensor by_head(const Tensor& side_by_side_) const {
    return side_by_side_.view({side_by_side_.size(0), 2, heads}).permute({2, 0, 1});
  }
  // W a, which makes the scores of x: [F_in, 2H].
  Tensor projection() const { return side_by_side(at::bmm(weight_by_head(), vectors())); }
  Tensor features_by_head() const {  // |h|, [H, rows, D]
    return products.abs()
        .view({x.size(0), weight.size(1), heads, weight.size(3)})
        .permute({2, 0, 1, 3})
        .reshape({heads, x.size(0), width});
  }

  Tensor forward(bool is_signed) const {
    if (is_signed) return side_by_side(at::bmm(features_by_head(), vectors()));
    return ops::narrow_product(x, projection());
  }
};

// What a node keeps besides tensors.
struct Kept : torch::CustomClassHolder {
  Kept(AttentionalOperator attention_, bool stars_, int first_power_)
      : attention(std::move(attention_)), stars(stars_), first_power(first_power_) {}
  AttentionalOperator attention;
  bool stars;
  int first_power;
};

ops::AttentionOperands operands_of(const Kept& kept, const Tensor& x, const Tensor& weight,
                                   const Tensor& products, const Tensor& scores, std::optional<Tensor> mask) {
  const auto leading = x.sizes().slice(0, x.dim() - 2);
  const std::int64_t N = x.size(-2), P = weight.size(1), H = weight.size(2);
  const auto shaped = [&](const Tensor& rows, std::initializer_list<std::int64_t> last) {
    std::vector<std::int64_t> sizes = leading.vec();
    sizes.push_back(N);
    sizes.insert(sizes.end(), last);
    return rows.view(sizes);
  };
  const Tensor halves = shaped(scores, {2, H});
  return {.taps = shaped(products, {P, H * weight.size(3)}),
          .receiver = halves.select(-2, 0),
          .source = halves.select(-2, 1),
          .structure = kept.attention.structure(kept.stars),
          .mask = std::move(mask),
          .signs = kept.attention.signs(kept.stars),
          .first_power = kept.first_power,
          .negative_slope = kept.attention.options().attention->options.negative_slope};
}

// No size is left to torch: rows or features may be none.
Tensor rows_of(const Tensor& x) {
  return x.contiguous().view({x.numel() / std::max<std::int64_t>(1, x.size(-1)), x.size(-1)});
}
Tensor matrix_of(const Tensor& weight) {
  return weight.reshape({weight.size(0), weight.size(1) * weight.size(2) * weight.size(3)});
}

// Of many rows.
Tensor product(const Tensor& a, const Tensor& b) {
  Tensor result = ops::pooled_empty({a.size(0), b.size(1)}, a.options());
  return at::mm_out(result, a, b);
}

struct Made {
  Tensor products, scores;  // [rows, P·H·F], [rows, 2H]
  std::optional<Tensor> mask;
  std::vector<Tensor> results;  // of ops::attention_forward
};

Made forward_pass(const Kept& kept, const Tensor& x, const Tensor& weight, const Tensor& a, bool keep) {
  const Tensor rows = rows_of(x);
  Made made;
  made.products = product(rows, matrix_of(weight));
  made.scores = Scores{rows, weight, a, made.products}.forward(kept.attention.options().is_signed);
  made.mask = kept.attention.mask(kept.stars, x.sizes().slice(0, x.dim() - 2), x.scalar_type());
  made.results =
      ops::attention_forward(operands_of(kept, x, weight, made.products, made.scores, made.mask), keep);
  return made;
}

struct AttentionNode : torch::autograd::Function<AttentionNode> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight, const Tensor& a,
                        const c10::intrusive_ptr<Kept>& kept) {
    at::AutoDispatchBelowADInplaceOrView below;
    const bool keep = !kept->attention.options().recompute;
    const Made made = forward_pass(*kept, x, weight, a, keep);
    variable_list saved{x, weight, a};
    if (keep) {
      saved.insert(saved.end(), {made.products, made.scores, made.mask.value_or(Tensor())});
      saved.insert(saved.end(), made.results.begin(), made.results.end());
    }
    ctx->save_for_backward(std::move(saved));
    ctx->saved_data["kept"] = c10::IValue::make_capsule(kept);
    return made.results.front();
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    if (!gradients[0].defined()) return variable_list(4);
    const auto capsule = ctx->saved_data["kept"].toCapsule();
    const Kept& kept = static_cast<const Kept&>(*capsule);
    const auto saved = ctx->get_saved_variables();
    const std::array<bool, 3> needs{ctx->needs_input_grad(0), ctx->needs_input_grad(1),
                                    ctx->needs_input_grad(2)};
    variable_list result = at::GradMode::is_enabled() ? differentiable(kept, saved, needs, gradients[0])
                                                      : direct(kept, saved, needs, gradients[0]);
    result.emplace_back();
    return result;
  }

  // What forward() made: kept, or made again.
  static Made made_from(const Kept& kept, const variable_list& saved) {
    if (kept.attention.options().recompute)
      return forward_pass(kept, saved[0], saved[1], saved[2], /*keep=*/true);
    return {saved[3],
            saved[4],
            saved[5].defined() ? std::optional(saved[5]) : std::nullopt,
            {saved.begin() + 6, saved.end()}};
  }

  static variable_list direct(const Kept& kept, const variable_list& saved, const std::array<bool, 3>& needs,
                              const Tensor& gradient) {
    at::AutoDispatchBelowADInplaceOrView below;
    const Tensor &x = saved[0], &weight = saved[1], &a = saved[2];
    const Made made = made_from(kept, saved);
    const Tensor& products = made.products;
    const bool is_signed = kept.attention.options().is_signed;
    const auto of = ops::attention_backward(
        gradient, operands_of(kept, x, weight, products, made.scores, made.mask), made.results);
    const Tensor rows = rows_of(x), W = matrix_of(weight);
    const Scores scores{rows, weight, a, products};
    Tensor of_products = of[0].view({rows.size(0), W.size(1)});
    const std::int64_t H = scores.heads;
    const Tensor of_scores =
        at::cat({of[1].view({rows.size(0), H}), of[2].view({rows.size(0), H})}, 1);  // [rows, 2H]
    const Tensor vectors = scores.vectors();
    const auto as_a = [&](const Tensor& by_head) { return by_head.transpose(1, 2).reshape(a.sizes()); };
    if (is_signed) {  // s = |h| a: through the products
      const Tensor by_head = scores.by_head(of_scores);
      const Tensor of_features = at::bmm(by_head, vectors.transpose(1, 2))  // [H, rows, D]
                                     .view({H, rows.size(0), weight.size(1), weight.size(3)})
                                     .permute({1, 2, 0, 3})
                                     .reshape(products.sizes());
      of_products = of_products + of_features * products.sign();
      return {needs[0] ? product(of_products, W.t()).view(x.sizes()) : Tensor(),
              needs[1] ? at::mm(rows.t(), of_products).view(weight.sizes()) : Tensor(),
              needs[2] ? as_a(at::bmm(scores.features_by_head().transpose(1, 2), by_head)) : Tensor()};
    }
    Tensor of_x, of_weight, of_a;
    const Tensor W_h = scores.weight_by_head();
    if (needs[0]) {
      of_x = product(of_products, W.t());
      ops::add_narrow_product(of_x, of_scores, scores.projection());
      of_x = of_x.view(x.sizes());
    }
    if (needs[1] || needs[2]) {
      const Tensor of_vectors =
          scores.by_head(ops::narrow_gram(rows, of_scores));  // of W_h A_h, [H, F_in, 2]
      if (needs[2]) of_a = as_a(at::bmm(W_h.transpose(1, 2), of_vectors));
      if (needs[1]) {
        of_weight = at::mm(rows.t(), of_products).view(weight.sizes());
        of_weight += at::bmm(of_vectors, vectors.transpose(1, 2))
                         .view({H, weight.size(0), weight.size(1), weight.size(3)})
                         .permute({1, 2, 0, 3});
      }
    }
    return {of_x, of_weight, of_a};
  }

  // With a graph of their own, for second derivatives.
  static variable_list differentiable(const Kept& kept, const variable_list& saved,
                                      const std::array<bool, 3>& needs, const Tensor& gradient) {
    variable_list inputs, result(3);
    for (std::size_t i = 0; i < 3; ++i)
      if (needs[i]) inputs.push_back(saved[i]);
    const Tensor y = kept.attention.reference_filter(saved[0], saved[1], kept.first_power);
    const auto gradients = torch::autograd::grad({y}, inputs, {gradient}, /*retain_graph=*/true,
                                                 /*create_graph=*/true, /*allow_unused=*/true);
    for (std::size_t i = 0, next = 0; i < 3; ++i)
      if (needs[i]) result[i] = gradients[next++];
    return result;
  }
};

}  // namespace

Tensor attention_node(const AttentionalOperator& attention, const Tensor& x, const Tensor& weight,
                      int first_power) {
  const Tensor& a = attention.options().attention->a;
  const auto kept = c10::make_intrusive<Kept>(attention, attention.uses_stars(weight.size(3)), first_power);
  const bool records =
      at::GradMode::is_enabled() && (x.requires_grad() || weight.requires_grad() || a.requires_grad());
  if (records) return AttentionNode::apply(x, weight, a, kept);
  return forward_pass(*kept, x, weight, a, /*keep=*/false).results.front();
}

}  // namespace gsan
