#include "gsan/nn/detail/layer_pass.h"

#include <limits>

#include "gsan/core/check.h"
#include "gsan/hodge/bounded_shift.h"
#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/harmonic_basis.h"
#include "gsan/hodge/polynomial.h"
#include "gsan/ops/sum_activation.h"

namespace gsan {

Normalization normalization_of(ShiftKind kind) {
  switch (kind) {
    case ShiftKind::normalized:
      return Normalization::lambda_max;
    case ShiftKind::centered:
      return Normalization::centered;
    case ShiftKind::bunch:
      return Normalization::bunch;
    case ShiftKind::signed_adjacency:
      return Normalization::signed_adjacency;
    case ShiftKind::renormalized:
      return Normalization::renormalized;
    default:
      return Normalization::none;
  }
}

namespace {

void add_to(std::vector<Tensor>& terms, const Tensor& term) {
  if (term.defined()) terms.push_back(term);
}

}  // namespace

LayerOutput LayerPass::run() {
  output_.signals.resize(static_cast<std::size_t>(options_.order) + 1);
  output_.harmonic_epsilon.resize(output_.signals.size());
  if (goes_by_parts()) {
    run_by_parts();
    return std::move(output_);
  }
  std::map<int, std::vector<Tensor>> terms;
  {
    ops::Branches branches;
    for (const int k : options_.active_orders()) terms[k] = order_terms(k, branches);
  }
  for (const int k : options_.active_orders()) output_.signals[k] = finish(k, std::move(terms[k]));
  if (context_.diagnose && layer_.has_metric())
    for (int k = 0; k <= options_.order; ++k) output_.metric.push_back(metric(k));
  return std::move(output_);
}

std::vector<Tensor> LayerPass::order_terms(int k, ops::Branches& branches) {
  std::vector<Tensor> terms;
  const auto add = [&](const auto& term) {
    if (shares_between_terms())
      add_to(terms, term());
    else
      branches.run(z_, [&] { add_to(terms, term()); });
  };
  bool needs_identity = options_.identity;
  for (const LayerTerm& term : layer_.terms()) {
    if (term.k != k) continue;
    add([&] { return term_sum(term); });
    if (options_.basis == Basis::chebyshev) needs_identity = false;  // it is T_0 of the term
  }
  if (needs_identity) add([&] { return identity_term(k); });
  add([&] { return harmonic_term(k); });
  if (terms.empty())
    terms.push_back(kind_.zeros(operators_.count(k), std::int64_t{options_.heads} * options_.out_channels));
  return terms;
}

// Whether a term may leave something on the device that another one reads: a metric, or what is derived from
// the complex on its first use.
bool LayerPass::shares_between_terms() const {
  const auto is_alone = [](ShiftKind kind) {
    return kind == ShiftKind::attention || kind == ShiftKind::hodge;
  };
  return !is_alone(options_.lower_shift) || !is_alone(options_.upper_shift) || options_.is_equivariant ||
         options_.harmonic == HarmonicKind::exact || (dropout_ && options_.attention_dropout > 0);
}

Tensor LayerPass::term_sum(const LayerTerm& term) {
  const bool is_own = term.use == Use::own;
  const Tensor& source = z_[is_own ? term.k : term.side == Side::lower ? term.k - 1 : term.k + 1];
  if (!source.defined()) return {};
  const bool is_weighted = term.shift == ShiftKind::weighted;
  // With a learned metric each head has its own B_W, which acts on the head's products; else B acts
  // before the weights, once for all taps.
  const Tensor x = is_own || is_weighted ? source : couple(term, source);
  const bool is_attention = term.shift == ShiftKind::attention && term.needs_shift();
  if (is_attention) return attention_sum(term, x);
  const Tensor products = times(x, weight(term)).unflatten(-1, {term.taps, -1});  // [..., N, taps, H·F_out]
  std::vector<Tensor> taps = products.unbind(-2);
  if (is_weighted) return weighted_sum(term, std::move(taps));
  if (!term.needs_shift()) return taps.front();
  const auto shift = laplacian_shift(term);
  if (options_.basis == Basis::monomial) return polynomial(*shift, taps, term.first);
  taps.insert(taps.begin(), identity_term(term.k));
  return chebyshev_polynomial(*shift, taps);
}

Tensor LayerPass::weighted_sum(const LayerTerm& term, std::vector<Tensor> taps) {
  // L_W may be as large as e^20 times a row sum (learned_metric.h), so that its third power may leave
  // float32 on its way even where the layer's output does not: higher powers are computed in float64
  // and end at the borders of float32.
  const bool is_wide = type() == torch::kFloat32 && term.first + term.taps > 3;
  const torch::ScalarType inner = is_wide ? torch::kFloat64 : type();
  const int j = term.side == Side::lower ? term.k : term.k + 1;
  for (Tensor& tap : taps) {
    tap = tap.to(inner);
    if (term.use == Use::neighbor)
      tap = term.side == Side::lower ? weighted(j, inner).coboundary(tap) : weighted(j, inner).boundary(tap);
  }
  if (!term.needs_shift()) return taps.front();
  const Incidence &lower = weighted(term.k, inner), &upper = weighted(term.k + 1, inner);
  const Tensor sum = options_.metric_normalized
                         ? polynomial(BoundedShift(lower, upper, term.side, operators_.part_offsets(term.k)),
                                      taps, term.first)
                         : polynomial(LaplacianShift(lower, upper, term.side), taps, term.first);
  if (!is_wide) return sum;
  const double border = std::numeric_limits<float>::max() / 64;  // room for the other terms of the order
  return sum.clamp(-border, border).to(type());
}

Tensor LayerPass::identity_term(int k) const {
  return z_[k].defined() ? times(z_[k], layer_.weight(identity_weight(options_, k))) : Tensor();
}

Tensor LayerPass::harmonic_term(int k) {
  if (options_.harmonic == HarmonicKind::none || !z_[k].defined()) return {};
  const Tensor& W = layer_.weight("harmonic");
  if (options_.harmonic == HarmonicKind::skip) return times(z_[k], W);
  const bool is_narrower = options_.in_channels < options_.heads * options_.out_channels;
  if (options_.harmonic == HarmonicKind::exact) {
    return is_narrower ? times(harmonic_part(operators_, k, z_[k]), W)
                       : harmonic_part(operators_, k, times(z_[k], W));
  }
  const bool has_metric = layer_.has_metric();
  const HarmonicProjector projector = harmonic_projector(k);
  // Q̂ (Z W) = (Q̂ Z) W: filter the narrower one, but each head's own Q̂ needs the products.
  const bool filter_first = !has_metric && is_narrower;
  return filter_first ? times(projector.apply(z_[k]), W) : projector.apply(times(z_[k], W));
}

HarmonicProjector LayerPass::harmonic_projector(int k) {
  HarmonicOptions harmonic{.steps = options_.harmonic_steps, .epsilon = {}};
  if (!options_.harmonic_epsilon.empty()) harmonic.epsilon = options_.harmonic_epsilon[k];
  const HarmonicProjector projector =
      layer_.has_metric() ? HarmonicProjector(weighted(k, type()), weighted(k + 1, type()), harmonic,
                                              operators_.parts(k), operators_.part_offsets(k))
                          : HarmonicProjector(operators_, k, harmonic);
  output_.harmonic_epsilon[k] = projector.epsilon();
  return projector;
}

Tensor LayerPass::finish(int k, std::vector<Tensor> terms) const {
  if (options_.head_mode == HeadMode::mean && options_.heads > 1) {
    const Tensor sum = ops::sum_activation(terms, {}, name_of(Activation::identity));
    terms = {sum.unflatten(-1, {options_.heads, options_.out_channels}).mean(-2)};
  }
  const Tensor& bias = layer_.bias(k);
  if (terms.size() == 1 && !bias.defined() && options_.activation == Activation::identity)
    return terms.front();
  return ops::sum_activation(terms, bias, name_of(options_.activation));
}

Tensor LayerPass::couple(const LayerTerm& term, const Tensor& x) const {
  const Incidence B = coupling(term);
  return term.side == Side::lower ? B.coboundary(x) : B.boundary(x);
}

std::unique_ptr<Shift> LayerPass::laplacian_shift(const LayerTerm& term) const {
  return std::make_unique<LaplacianShift>(
      side_shift(operators_, term.k, term.side, normalization_of(term.shift),
                 options_.active_orders().front(), options_.order, type()));
}

AttentionalOperator LayerPass::attentional_operator(const LayerTerm& term) const {
  AttentionalOperatorOptions options{.operators = operators_,
                                     .order = term.k,
                                     .side = term.side,
                                     .attention = layer_.attention(term.attention),
                                     .is_equivariant = options_.is_equivariant,
                                     .kernel = context_.attention_kernel,
                                     .recompute = context_.recompute};
  if (dropout_ && options_.attention_dropout > 0) {
    options.dropout = options_.attention_dropout;
    options.stream = dropout_->substream("attention")
                         .substream(static_cast<std::uint64_t>(term.k))
                         .substream(side_name(term.side))
                         .substream(static_cast<std::uint64_t>(term.use));
    options.signal_keys = signal_keys();
  }
  return AttentionalOperator(std::move(options));
}

Tensor LayerPass::attention_sum(const LayerTerm& term, const Tensor& x) {
  const AttentionalOperator attention = attentional_operator(term);
  if (!context_.return_attention_weights) return attention.filter(x, weight(term), term.first);
  Tensor alpha;
  const Tensor y = attention.reference_filter(x, weight(term), term.first, &alpha);
  const Neighborhood& pairs = attention.neighborhood();
  output_.attention.push_back({term.k, term.side, term.use, pairs.receivers(), pairs.sources, alpha});
  return y;
}

Tensor LayerPass::weight(const LayerTerm& term) const {
  const Tensor& W = layer_.weight(term.weight);
  return W.size(1) == term.taps ? W : W.narrow(1, 0, term.taps);
}

const Tensor& LayerPass::metric(int k) {
  const auto found = metrics_.find(k);
  if (found != metrics_.end()) return found->second;
  const Tensor z = z_[k].defined() ? z_[k] : kind_.zeros(operators_.count(k), options_.in_channels);
  return metrics_[k] =
             layer_.metric(k)->forward(options_.is_equivariant ? z.abs() : z, operators_.part_offsets(k));
}

const Incidence& LayerPass::weighted(int j, torch::ScalarType type) {
  const auto found = weighted_.find({j, type});
  if (found != weighted_.end()) return found->second;
  const Incidence& B = operators_.incidence(j);
  // Outside 1 … K an operator is empty: nothing to weight.
  const Incidence scaled =
      j >= 1 && j <= options_.order ? weighted_incidence(B, metric(j - 1).to(type), metric(j).to(type)) : B;
  return weighted_.emplace(std::pair(j, type), scaled).first->second;
}

Incidence LayerPass::coupling(const LayerTerm& term) const {
  return side_operator(operators_, term.k, term.side, normalization_of(term.shift),
                       options_.active_orders().front(), options_.order, type())
      .coupling;
}

torch::ScalarType LayerPass::type() const { return c10::typeMetaToScalarType(kind_.type.dtype()); }

}  // namespace gsan
