#include "gsan/nn/layer_terms.h"

#include "gsan/core/check.h"

namespace gsan {
namespace {

// Weights of the side of order k: the Dirac component j that it belongs to (spec 2), or what is
// tied to it.
std::string weight_key(const SimplicialLayerOptions& options, int k, Side side, Use use) {
  const std::string own_side = std::to_string(k) + "_" + side_name(side);
  switch (options.sharing) {
    case Sharing::dirac:
      return std::to_string(side == Side::lower ? k : k + 1);
    case Sharing::joint:
      return "all";
    case Sharing::none:
      return own_side;
    case Sharing::lower_upper:
      return use == Use::own ? std::to_string(k) : own_side;
  }
  fail(Fault::argument, "layer_terms: unknown sharing ", static_cast<int>(options.sharing));
}

class TermList {
 public:
  explicit TermList(const SimplicialLayerOptions& options) : options_(options) {}

  void add_own(int k, Side side) {
    const SideTaps& taps = options_.taps(side != Side::upper);
    if (taps.own > 0) add(k, side, Use::own, taps.own, 1);
  }

  void add_neighbor(int k, Side side) {
    const SideTaps& taps = options_.taps(side == Side::lower);
    if (taps.neighbor > 0 && options_.is_active(side == Side::lower ? k - 1 : k + 1))
      add(k, side, Use::neighbor, taps.neighbor, taps.first);
  }

  std::vector<LayerTerm> take() { return std::move(terms_); }

 private:
  void add(int k, Side side, Use use, int taps, int first) {
    LayerTerm term{
        .k = k,
        .side = side,
        .use = use,
        .taps = taps,
        .first = first,
        .shift = options_.shift(side != Side::upper),
        .weight = std::string(use == Use::own ? "own_" : "neighbor_") + weight_key(options_, k, side, use)};
    if (term.shift == ShiftKind::attention && term.needs_shift()) {
      const char* where = options_.share_attention ? "shared" : side_name(side);
      term.attention = concat("attention_", k, "_", where, "_", static_cast<int>(use));
    }
    terms_.push_back(std::move(term));
  }

  const SimplicialLayerOptions& options_;
  std::vector<LayerTerm> terms_;
};

// Whether the own-order terms of an order with both sides are one operator: over the union of the
// neighbourhoods (spec 5), or L_k itself, whose powers are the sums of those of its sides.
bool sides_are_one(const SimplicialLayerOptions& options) {
  const bool tied = options.sharing == Sharing::joint || options.sharing == Sharing::lower_upper;
  if (!tied || options.lower_shift != options.upper_shift || options.lower.own != options.upper.own)
    return false;
  // Powers of the others do not split into those of the sides: their diagonals add up.
  if (options.basis == Basis::chebyshev) return true;
  switch (options.lower_shift) {
    case ShiftKind::attention:
      return options.sharing == Sharing::joint;
    case ShiftKind::hodge:
    case ShiftKind::normalized:
    case ShiftKind::bunch:
    case ShiftKind::weighted:
      return true;
    default:
      return false;
  }
}

}  // namespace

const char* side_name(Side side) {
  return side == Side::lower ? "lower" : side == Side::upper ? "upper" : "both";
}

std::vector<LayerTerm> layer_terms(const SimplicialLayerOptions& options) {
  TermList terms(options);
  const bool one_operator = sides_are_one(options);
  for (const int k : options.active_orders()) {
    const bool has_lower = k >= 1, has_upper = k < options.order;
    // A union of neighbourhoods exists where a side does; L_k of an order with one side is that side.
    const bool is_union = options.lower_shift == ShiftKind::attention;
    if (one_operator && (is_union ? has_lower || has_upper : has_lower && has_upper)) {
      terms.add_own(k, Side::both);
    } else {
      if (has_lower) terms.add_own(k, Side::lower);
      if (has_upper) terms.add_own(k, Side::upper);
    }
    if (has_lower) terms.add_neighbor(k, Side::lower);
    if (has_upper) terms.add_neighbor(k, Side::upper);
  }
  return terms.take();
}

std::string identity_weight(const SimplicialLayerOptions& options, int k) {
  const bool per_order = options.sharing == Sharing::none || options.sharing == Sharing::lower_upper;
  return per_order ? concat("identity_", k) : "identity";
}

}  // namespace gsan
