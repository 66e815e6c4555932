// The terms of a layer as linear maps: what LayerPass adds up, on signals other than its own.

#include "gsan/core/check.h"
#include "gsan/hodge/bounded_shift.h"
#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/harmonic_basis.h"
#include "gsan/hodge/polynomial.h"
#include "gsan/nn/detail/layer_pass.h"

namespace gsan {
namespace {

// S is c L + d I with numbers c and d, so that eigenvectors of L_k are eigenvectors of S.
bool keeps_eigenvectors(ShiftKind kind) {
  return kind == ShiftKind::hodge || kind == ShiftKind::normalized || kind == ShiftKind::centered;
}

std::function<std::vector<Tensor>(const Tensor&)> itself() {
  return [](const Tensor& x) { return std::vector<Tensor>{x}; };
}

}  // namespace

std::shared_ptr<const Shift> LayerPass::linear_shift(const LayerTerm& term, const Tensor& x) {
  if (!term.needs_shift()) return nullptr;
  if (term.shift == ShiftKind::attention) return attentional_operator(term).shift_of(x, weight(term));
  if (term.shift != ShiftKind::weighted) return laplacian_shift(term);
  const Incidence &lower = weighted(term.k, type()), &upper = weighted(term.k + 1, type());
  if (options_.metric_normalized)
    return std::make_shared<BoundedShift>(lower, upper, term.side, operators_.parts(term.k));
  return std::make_shared<LaplacianShift>(lower, upper, term.side);
}

LinearTerm LayerPass::linear_term(const LayerTerm& term) {
  const bool is_own = term.use == Use::own, is_weighted = term.shift == ShiftKind::weighted;
  const int source = is_own ? term.k : term.side == Side::lower ? term.k - 1 : term.k + 1;
  LinearTerm linear{is_own ? side_name(term.side) : concat("from order ", source),
                    source,
                    keeps_eigenvectors(term.shift) && options_.incidence == IncidenceKind::with_signs,
                    is_weighted || (term.shift == ShiftKind::attention && term.needs_shift()),
                    weight(term),
                    {}};
  // What carries a signal of the neighbouring order here.
  std::function<Tensor(const Tensor&)> couple_it = [](const Tensor& x) { return x; };
  if (!is_own) {
    const Incidence B =
        is_weighted ? weighted(term.side == Side::lower ? term.k : term.k + 1, type()) : coupling(term);
    couple_it = [B, side = term.side](const Tensor& x) {
      return side == Side::lower ? B.coboundary(x) : B.boundary(x);
    };
  }
  const Tensor deciding = is_own || is_weighted ? z_[source] : couple_it(z_[source]);
  const std::shared_ptr<const Shift> shift = linear_shift(term, deciding);
  if (options_.basis == Basis::monomial) {
    linear.powers = [=](const Tensor& x) {
      return powers_of(shift.get(), couple_it(x), term.first, term.taps);
    };
    return linear;
  }
  linear.weight =
      torch::cat({layer_.weight(identity_weight(options_, term.k)).unsqueeze(1), linear.weight}, 1);
  linear.powers = [=](const Tensor& x) { return chebyshev_powers_of(*shift, x, term.taps); };
  return linear;
}

LinearTerm LayerPass::linear_harmonic(int k) {
  const bool has_metric = layer_.has_metric();
  LinearTerm linear{"harmonic",
                    k,
                    !has_metric && options_.incidence == IncidenceKind::with_signs,
                    has_metric,
                    layer_.weight("harmonic").unsqueeze(1),
                    itself()};
  if (options_.harmonic == HarmonicKind::skip) return linear;
  if (options_.harmonic == HarmonicKind::exact) {
    linear.powers = [this, k](const Tensor& x) {
      return std::vector<Tensor>{harmonic_part(operators_, k, x)};
    };
    return linear;
  }
  HarmonicOptions harmonic{.steps = options_.harmonic_steps, .epsilon = {}};
  if (!options_.harmonic_epsilon.empty()) harmonic.epsilon = options_.harmonic_epsilon[k];
  const auto projector =
      has_metric ? std::make_shared<HarmonicProjector>(weighted(k, type()), weighted(k + 1, type()), harmonic,
                                                       operators_.parts(k))
                 : std::make_shared<HarmonicProjector>(operators_, k, harmonic);
  linear.powers = [projector](const Tensor& x) { return std::vector<Tensor>{projector->apply(x)}; };
  return linear;
}

std::vector<LinearTerm> LayerPass::linear_terms(int k) {
  GSAN_CHECK(kind_.leading.empty(), "SimplicialLayer: the maps of its terms belong to one signal; got ",
             kind_.leading.size(), " leading dimension(s), choose an item of each");
  std::vector<LinearTerm> all;
  bool needs_identity = options_.identity;
  for (const LayerTerm& term : layer_.terms()) {
    if (term.k != k) continue;
    if (options_.basis == Basis::chebyshev) needs_identity = false;  // it is T_0 of the term
    const int source = term.use == Use::own ? k : term.side == Side::lower ? k - 1 : k + 1;
    if (z_[source].defined()) all.push_back(linear_term(term));
  }
  if (!z_[k].defined()) return all;
  if (needs_identity)
    all.push_back(
        {"identity", k, true, false, layer_.weight(identity_weight(options_, k)).unsqueeze(1), itself()});
  if (options_.harmonic != HarmonicKind::none) all.push_back(linear_harmonic(k));
  return all;
}

}  // namespace gsan
