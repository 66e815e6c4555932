// attention_powers on a device without a kernel of its own: some pairs at a time, in the same steps and with
// the same kept tensors as the pairwise kernel of the CPU (cpu/attention/pair_attention_kernel.h derives the
// gradient).

#include "gsan/ops/attention_powers.h"

#include <limits>

#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/composite/attention_pairs.h"
#include "gsan/ops/composite/pair_chunks.h"
#include "gsan/ops/detail/attention_checks.h"

namespace gsan::ops {
namespace {

using OptionalTensor = std::optional<at::Tensor>;

class PairPasses {
 public:
  explicit PairPasses(const AttentionOperands& operands)
      : o(operands),
        pairs(list_pairs(o.structure, o.mask, o.signs, o.taps.scalar_type())),
        heads(o.receiver.size(-1)),
        features(o.taps.size(-1) / heads) {}

  // Signals by head, [..., N, H, F].
  at::Tensor tap(std::int64_t p) const { return by_head(o.taps.select(-2, p)); }
  at::Tensor by_head(const at::Tensor& x) const { return x.unflatten(-1, {heads, features}); }

  // [..., N, H, 4] of attention_powers.h.
  at::Tensor make_state() const {
    if (o.sigmoid) {
      const at::Tensor zero = at::zeros_like(o.receiver);
      return at::stack({o.receiver, zero, zero, at::ones_like(zero)}, -1);
    }
    const at::Tensor like = at::zeros(o.receiver.sizes(), o.receiver.options());
    at::Tensor top = at::full_like(like, -std::numeric_limits<double>::infinity());
    for_chunks([&](const Chunk& c) {
      const at::Tensor index = c.to.unsqueeze(-1).expand_as(c.sum);
      top.scatter_reduce_(-2, index, at::leaky_relu(c.sum, o.negative_slope), "amax", true);
    });
    at::Tensor total = at::zeros_like(like), plus = at::zeros_like(like);
    for_chunks([&](const Chunk& c) {
      const at::Tensor e = exponentials(c, top);
      total.index_add_(-2, c.to, e);
      plus.index_add_(-2, c.to, e * (c.sum > 0));
    });
    const at::Tensor scale = at::where(total == 0, total, total.reciprocal());  // a row may have no pairs
    // Sums in another order (a device that adds as it comes) may leave a difference just below 0, whose sign
    // would name the other branch.
    const at::Tensor share = plus * scale, other = ((total - plus) * scale).clamp_min(0);
    return at::stack({o.receiver, top, scale, at::where(share <= other, share, -other)}, -1);
  }

  // A x; `u`, where given, receives the part of the branch that the state names.
  at::Tensor apply(const at::Tensor& x, const at::Tensor& state, at::Tensor* u) const {
    at::Tensor y = at::zeros(x.sizes(), x.options());
    if (u != nullptr) *u = at::zeros_like(y);
    const at::Tensor branch_is_plus = is_plus(state);
    for_chunks([&](const Chunk& c) {
      at::Tensor terms = x.index_select(-3, c.from) * weights(c, alpha(c, state)).unsqueeze(-1);
      y.index_add_(-3, c.to, terms);
      if (u == nullptr) return;
      const at::Tensor share = o.sigmoid ? slopes(c) * (1 - alpha(c, state))
                                         : (c.sum > 0) == branch_is_plus.index_select(-2, c.to);
      u->index_add_(-3, c.to, terms * share.unsqueeze(-1));
    });
    return y;
  }

  // The gradient of A x in s: D = g · out.
  at::Tensor of_receiver(const at::Tensor& g, const at::Tensor& D, const at::Tensor& u,
                         const at::Tensor& state) const {
    if (o.sigmoid) return (g * u).sum(-1);
    const at::Tensor zu = state.select(-1, 3);
    const at::Tensor sign = is_plus(state).to(zu.scalar_type()) * 2 - 1;
    return ((g * u).sum(-1) - D * zu.abs()) * sign * (1 - o.negative_slope);
  }

  struct OfSources {
    at::Tensor x, t;
  };
  OfSources of_sources(const at::Tensor& g, const at::Tensor& D, const at::Tensor& x,
                       const at::Tensor& state) const {
    at::Tensor of_x = at::zeros(x.sizes(), x.options()), sloped = at::zeros_like(of_x),
               of_D = at::zeros_like(D);
    for_chunks([&](const Chunk& c) {
      const at::Tensor a = alpha(c, state);
      const at::Tensor slope = o.sigmoid ? slopes(c) * (1 - a) : slopes(c);
      const at::Tensor terms = g.index_select(-3, c.to) * weights(c, a).unsqueeze(-1);
      of_x.index_add_(-3, c.from, terms);
      sloped.index_add_(-3, c.from, terms * slope.unsqueeze(-1));
      if (!o.sigmoid) of_D.index_add_(-2, c.from, a * slope * D.index_select(-2, c.to));
    });
    return {of_x, (x * sloped).sum(-1) - of_D};
  }

 private:
  struct Chunk {
    std::int64_t first, count;
    at::Tensor to, from, sum;  // receivers, sources, s_i + t_j [..., count, H]
  };
  template <class Visit>
  void for_chunks(const Visit& visit) const {
    for_pair_chunks(
        tap(0), pairs.offsets, pairs.sources,
        [&](std::int64_t first, std::int64_t count, const at::Tensor& to, const at::Tensor& from) {
          visit(Chunk{first, count, to, from,
                      o.receiver.index_select(-2, to) + o.source.index_select(-2, from)});
        });
  }

  at::Tensor exponentials(const Chunk& c, const at::Tensor& top) const {
    return (at::leaky_relu(c.sum, o.negative_slope) - top.index_select(-2, c.to)).exp_();
  }
  // LReLU' of each pair.
  at::Tensor slopes(const Chunk& c) const {
    return (c.sum > 0).to(c.sum.scalar_type()) * (1 - o.negative_slope) + o.negative_slope;
  }
  at::Tensor alpha(const Chunk& c, const at::Tensor& state) const {
    if (o.sigmoid) return at::leaky_relu(c.sum, o.negative_slope).sigmoid_();
    return exponentials(c, state.select(-1, 1)) * state.select(-1, 2).index_select(-2, c.to);
  }
  at::Tensor weights(const Chunk& c, const at::Tensor& a) const {
    return pairs.factors ? a * pairs.factors->narrow(-2, c.first, c.count) : a;
  }
  static at::Tensor is_plus(const at::Tensor& state) { return state.select(-1, 3).signbit().logical_not_(); }

  const AttentionOperands& o;
  ListedPairs pairs;
  std::int64_t heads, features;
};

std::vector<at::Tensor> powers_composite(const at::Tensor& taps, const at::Tensor& receiver,
                                         const at::Tensor& source, at::TensorList structure,
                                         const OptionalTensor& mask, const OptionalTensor& signs,
                                         std::int64_t first_power, double negative_slope, bool sigmoid,
                                         bool keep) {
  const AttentionOperands o{taps,  receiver,    source,         structure.vec(), mask,
                            signs, first_power, negative_slope, sigmoid};
  const AttentionShape shape = check_attention_powers("gsan::attention_powers", o);
  if (auto nothing = trivial_attention_powers(o, shape)) return *nothing;
  const PairPasses passes(o);
  const std::int64_t P = taps.size(-2), applications = P - 1 + first_power;
  const at::Tensor state = passes.make_state();
  std::vector<at::Tensor> results, branches;
  at::Tensor x = passes.tap(P - 1);
  for (std::int64_t a = 0; a < applications; ++a) {
    at::Tensor u;
    x = passes.apply(x, state, keep ? &u : nullptr);
    if (const std::int64_t added = P - 2 - a; added >= 0) x = x + passes.tap(added);
    if (keep) results.push_back(x.flatten(-2)), branches.push_back(u.flatten(-2));
  }
  const at::Tensor y = x.flatten(-2);
  if (!keep) return {y};
  results.pop_back();
  std::vector<std::int64_t> none = y.sizes().vec();
  none.insert(none.begin(), 0);
  return {y, state, results.empty() ? at::empty(none, y.options()) : at::stack(results), at::stack(branches)};
}

std::vector<at::Tensor> powers_backward_composite(const at::Tensor& gradient, const at::Tensor& taps,
                                                  const at::Tensor& receiver, const at::Tensor& source,
                                                  at::TensorList structure, const OptionalTensor& mask,
                                                  const OptionalTensor& signs, std::int64_t first_power,
                                                  double negative_slope, bool sigmoid, at::TensorList kept) {
  const AttentionOperands o{taps,  receiver,    source,         structure.vec(), mask,
                            signs, first_power, negative_slope, sigmoid};
  const AttentionShape shape = check_attention_powers_backward(gradient, o, kept.vec());
  if (auto nothing = trivial_attention_powers_backward(gradient, o, shape)) return *nothing;
  GSAN_CHECK(
      kept.size() == 4,
      "gsan::attention_powers_backward: kept must be all that attention_powers returned with keep for the "
      "same operands, 4 tensors, got ",
      kept.size());
  const PairPasses passes(o);
  const at::Tensor &y = kept[0], &state = kept[1], &results = kept[2], &u = kept[3];
  const std::int64_t P = taps.size(-2), applications = P - 1 + first_power;
  at::Tensor of_taps = at::empty(taps.sizes(), taps.options());
  at::Tensor of_receiver = at::zeros(receiver.sizes(), receiver.options()),
             of_source = at::zeros_like(of_receiver);
  if (applications < P) of_taps.select(-2, 0).copy_(gradient);
  at::Tensor g = passes.by_head(gradient);
  for (std::int64_t a = applications - 1; a >= 0; --a) {
    at::Tensor out = passes.by_head(a == applications - 1 ? y : results[a]);
    if (const std::int64_t added = P - 2 - a; added >= 0) out = out - passes.tap(added);
    const at::Tensor D = (g * out).sum(-1);
    of_receiver += passes.of_receiver(g, D, passes.by_head(u[a]), state);
    const auto of =
        passes.of_sources(g, D, a == 0 ? passes.tap(P - 1) : passes.by_head(results[a - 1]), state);
    of_source += of.t;
    of_taps.select(-2, P - 1 - a).copy_(of.x.flatten(-2));
    g = of.x;
  }
  return {of_taps, of_receiver, of_source};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CompositeExplicitAutograd, m) {
  m.impl("attention_powers", powers_composite);
  m.impl("attention_powers_backward", powers_backward_composite);
}

}  // namespace gsan::ops
