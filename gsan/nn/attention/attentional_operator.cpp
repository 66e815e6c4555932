#include "gsan/nn/attention/detail/attentional_operator.h"

#include "gsan/hodge/attention_shift.h"
#include "gsan/hodge/polynomial.h"
#include "gsan/nn/layer_terms.h"
#include "gsan/ops/pair_dropout.h"
#include "gsan/ops/row_product.h"
#include "gsan/topology/budget.h"

namespace gsan {
namespace {

// The keys of the rows of a mask. Over stars (ops/attention_powers.h): the entries of `cofaces`, then the
// self terms.
struct MaskRows {
  Tensor sources, shared;  // int32 [R]
};

MaskRows star_mask_rows(const ComplexOperators& operators, int k) {
  const Incidence& B = operators.incidence(k);
  const Tensor self = torch::arange(operators.count(k), B.cofaces().options());
  const Tensor faces = torch::repeat_interleave(operators.local_numbers(k - 1), B.coface_offsets().diff(), 0,
                                                B.cofaces().size(0));
  return {torch::cat({B.cofaces(), self}), torch::cat({faces, torch::full_like(self, -1)})};
}

}  // namespace

Tensor times(const Tensor& x, const Tensor& weight) { return ops::row_product(x, weight.flatten(1)); }

const Neighborhood& AttentionalOperator::neighborhood() const {
  return options_.operators.neighborhood(options_.order, options_.side);
}

bool AttentionalOperator::uses_stars(std::int64_t features) const {
  const int k = options_.order;
  const Gate gate = options_.attention->options.gate;
  if (options_.kernel != AttentionKernel::automatic)
    return options_.kernel == AttentionKernel::stars && meets_in_faces(k, options_.side) &&
           gate == Gate::softmax;
  const ComplexOperators& operators = options_.operators;
  const double statistic = operators.derived<double>({"star_statistic", {k}},
                                                     [&] { return star_statistic(operators.complex(), k); });
  return attends_over_stars(k, options_.side, gate, statistic, features);
}

std::vector<Tensor> AttentionalOperator::structure(bool stars) const {
  if (stars) {
    const Incidence& B = options_.operators.incidence(options_.order);
    return {B.faces(), B.coface_offsets(), B.cofaces(), B.coface_columns()};
  }
  if (has_mask()) return {neighborhood().offsets, neighborhood().sources, neighborhood().mirror};
  const PairList& list = options_.operators.pair_list(options_.order, options_.side);
  return {list.offsets, list.sources};
}

std::optional<Tensor> AttentionalOperator::signs(bool stars) const {
  if (!options_.is_equivariant) return std::nullopt;
  if (!stars) return neighborhood().signs;
  const ComplexOperators& operators = options_.operators;
  const int k = options_.order;
  return operators.derived<Tensor>({"star_signs", {k}}, [&]() -> Tensor {
    const Incidence& B = operators.incidence(k);
    const Tensor signs = (1 - 2 * B.coface_columns().bitwise_and(1).to(torch::kInt8)).to(torch::kInt8);
    return operators.is_oriented() ? signs * operators.signs(k).index_select(0, B.cofaces()) : signs;
  });
}

ops::AttentionDropout AttentionalOperator::dropout(bool stars) const {
  if (!has_mask()) return {};
  const ComplexOperators& operators = options_.operators;
  const int k = options_.order;
  const MaskRows rows = stars ? operators.derived<MaskRows>({"star_mask_rows", {k}},
                                                            [&] { return star_mask_rows(operators, k); })
                              : MaskRows{neighborhood().sources, neighborhood().shared};
  return {
      {rows.sources, rows.shared, operators.local_numbers(k), operators.part_keys(k), options_.signal_keys},
      static_cast<std::int64_t>(options_.stream->key()),
      options_.dropout};
}

Tensor AttentionalOperator::mask(at::IntArrayRef leading, at::ScalarType type) const {
  const auto [keys, stream, p] = dropout(/*stars=*/false);
  const std::int64_t heads = options_.attention->options.heads;
  std::vector<std::int64_t> sizes = leading.vec();
  sizes.insert(sizes.end(), {keys[0].size(0), heads});
  return ops::pair_dropout_mask(keys[0], keys[1], keys[2], keys[3], keys[4], stream, p, heads, type)
      .view(sizes);
}

bool AttentionalOperator::has_plain_pairs(std::int64_t features) const {
  return options_.attention->options.mechanism == Mechanism::gat && !options_.is_equivariant &&
         !uses_stars(features);
}

ops::PartAttention AttentionalOperator::part_term(at::ScalarType type) const {
  const auto& attention = options_.attention->options;
  ops::PartAttention made{.a = options_.attention->parameter("a").detach().contiguous(),
                          .negative_slope = attention.negative_slope,
                          .sigmoid = attention.gate == Gate::sigmoid};
  const std::vector<Tensor> tables = structure(/*stars=*/false);
  made.offsets = tables[0], made.sources = tables[1];
  if (has_mask()) made.mirror = tables[2], made.mask = mask({}, type);
  return made;
}

Tensor AttentionalOperator::weights(const Neighborhood& pairs, const Tensor& x, const Tensor& weight,
                                    const Tensor& products) const {
  const std::int64_t H = weight.size(2), F = weight.size(3);
  // Scores, α and what the backward pass keeps of them.
  const std::int64_t signals = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 2);
  const double numbers =
      3.0 * static_cast<double>(signals) * static_cast<double>(pairs.pairs()) * static_cast<double>(H);
  check_memory({.max_memory = options_.operators.max_memory()}, "SimplicialLayer",
               numbers * static_cast<double>(x.element_size()),
               concat("the attention weights of order ", options_.order, ", ", side_name(options_.side),
                      " side: ", pairs.pairs(), " pairs, ", H, " head(s), ", signals, " signal(s)"));
  const ProjectFeatures project = [&](const Tensor& matrix) -> Tensor {  // [H, D, m] → [..., N, H, m]
    const std::int64_t m = matrix.size(-1);
    if (!options_.is_equivariant) {                              // h M = X (W M)
      const Tensor W = weight.permute({2, 0, 1, 3}).flatten(2);  // [H, F_in, D]
      return times(x, torch::bmm(W, matrix).transpose(0, 1)).unflatten(-1, {H, m});
    }
    const Tensor h = products.abs().unflatten(-1, {H, F}).transpose(-3, -2).flatten(-2);  // [..., N, H, D]
    return torch::matmul(h.transpose(-3, -2), matrix).transpose(-3, -2);  // one product per head
  };
  return options_.attention->forward(pairs, project);
}

Tensor AttentionalOperator::weights_over(const Neighborhood& pairs, const Tensor& x,
                                         const Tensor& weight) const {
  const torch::NoGradGuard no_grad;
  return weights(pairs, x, weight, times(x, weight).unflatten(-1, {weight.size(1), -1}));
}

std::unique_ptr<Shift> AttentionalOperator::shift(const Tensor& x, const Tensor& weight,
                                                  const Tensor& products, Tensor* alpha) const {
  const Neighborhood& pairs = neighborhood();
  const Tensor made = weights(pairs, x, weight, products);
  if (alpha != nullptr) *alpha = made;
  Tensor entries = made;
  if (has_mask()) entries = entries * mask(x.sizes().slice(0, x.dim() - 2), x.scalar_type());
  if (const auto of_pairs = signs(false)) entries = entries * of_pairs->to(made.scalar_type()).unsqueeze(-1);
  return std::make_unique<AttentionShift>(pairs, entries);
}

std::unique_ptr<Shift> AttentionalOperator::shift_of(const Tensor& x, const Tensor& weight) const {
  return shift(x, weight, times(x, weight).unflatten(-1, {weight.size(1), -1}), nullptr);
}

Tensor AttentionalOperator::reference_filter(const Tensor& x, const Tensor& weight, int first_power,
                                             Tensor* alpha) const {
  const Tensor products = times(x, weight).unflatten(-1, {weight.size(1), -1});  // [..., N, P, H·F]
  return polynomial(*shift(x, weight, products, alpha), products.unbind(-2), first_power);
}

Tensor AttentionalOperator::filter(const Tensor& x, const Tensor& weight, int first_power) const {
  const auto op = options_.attention->mechanism().filter;
  if (op == nullptr || options_.kernel == AttentionKernel::reference)
    return reference_filter(x, weight, first_power);
  const bool stars = uses_stars(weight.size(3));
  return op(*options_.attention, {.x = x,
                                  .weight = weight,
                                  .structure = structure(stars),
                                  .dropout = dropout(stars),
                                  .signs = signs(stars),
                                  .first_power = first_power,
                                  .sigmoid = options_.attention->options.gate == Gate::sigmoid,
                                  .recompute = options_.recompute});
}

}  // namespace gsan
