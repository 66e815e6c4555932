#include "gsan/nn/simplicial_layer_options.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gsan/nn/layer_terms.h"

namespace gsan {

SimplicialLayerOptions& SimplicialLayerOptions::set_dirac_taps(int J) {
  GSAN_CHECK(J >= 1, "the layer: the filter length J must be at least 1, got ", J);
  lower = upper = {.own = J / 2, .neighbor = (J + 1) / 2, .first = 0};
  return *this;
}

SimplicialLayerOptions& SimplicialLayerOptions::set_filter_length(int n) {
  GSAN_CHECK(n >= 1, "the layer: the filter length n must be at least 1, got ", n);
  lower = upper = {.own = n, .neighbor = n, .first = 1};
  return *this;
}

SimplicialLayerOptions& SimplicialLayerOptions::set_shift(ShiftKind kind) {
  lower_shift = upper_shift = kind;
  return *this;
}

std::vector<int> SimplicialLayerOptions::active_orders() const {
  if (!orders.empty()) return orders;
  std::vector<int> all(static_cast<std::size_t>(std::max(order, 0)) + 1);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool SimplicialLayerOptions::is_active(int k) const {
  if (k < 0 || k > order) return false;
  return orders.empty() || std::find(orders.begin(), orders.end(), k) != orders.end();
}

bool SimplicialLayerOptions::uses(ShiftKind kind) const {
  const auto terms = layer_terms(*this);
  return std::any_of(terms.begin(), terms.end(), [&](const LayerTerm& term) { return term.shift == kind; });
}

std::vector<std::string> SimplicialLayerOptions::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const auto&... parts) {
    if (!holds) faults.push_back(concat(parts...));
  };
  const auto require_width = [&](const char* name, int value, int least) {
    require(value >= least && value <= 65536, name, " must lie in ", least, " ... 65536, got ", value);
  };
  require_width("in_channels", in_channels, 1);
  require_width("out_channels", out_channels, 1);
  require_width("attention_channels", attention_channels, 0);
  require_width("metric_channels", metric_channels, 0);
  require(order >= 0 && order <= largest_order, "order must lie in 0 ... ", largest_order, ", got ", order);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    require(orders[i] >= 0 && orders[i] <= order, "orders must lie in 0 ... order = ", order, ", got ",
            orders[i]);
    require(i == 0 || orders[i - 1] < orders[i], "orders must increase, got ", options::to_text(orders));
  }
  for (const bool is_lower : {true, false}) {
    const char* name = is_lower ? "lower" : "upper";
    const SideTaps& side = taps(is_lower);
    require(side.own >= 0 && side.own <= 64, name, ".own must lie in 0 ... 64, got ", side.own);
    require(side.neighbor >= 0 && side.neighbor <= 64, name, ".neighbor must lie in 0 ... 64, got ",
            side.neighbor);
    require(side.first == 0 || side.first == 1, name, ".first must be 0 or 1, got ", side.first);
  }
  require(heads >= 1 && heads <= 4096, "heads must lie in 1 ... 4096, got ", heads);
  require(std::isfinite(negative_slope) && negative_slope >= 0 && negative_slope <= 1,
          "negative_slope must lie in [0, 1], got ", negative_slope);
  require(harmonic != HarmonicKind::exact || !uses(ShiftKind::weighted),
          "harmonic=exact is the projection without a metric, but a side is weighted: choose projector");
  require(std::isfinite(metric_bound) && metric_bound >= 0, "metric_bound must not be negative, got ",
          metric_bound);
  require(std::isfinite(bias_range) && bias_range >= 0, "bias_range must not be negative, got ", bias_range);
  require(harmonic_steps >= 0, "harmonic_steps must not be negative, got ", harmonic_steps);
  require(harmonic_epsilon.empty() || harmonic_epsilon.size() == static_cast<std::size_t>(order) + 1,
          "harmonic_epsilon must hold one number for each order 0 ... ", order, ", got ",
          harmonic_epsilon.size());
  for (const double epsilon : harmonic_epsilon)
    require(std::isfinite(epsilon) && epsilon > 0, "harmonic_epsilon must be positive, got ", epsilon);
  require(dropout >= 0 && dropout < 1, "dropout must lie in [0, 1), got ", dropout);
  require(attention_dropout >= 0 && attention_dropout < 1, "attention_dropout must lie in [0, 1), got ",
          attention_dropout);
  require(std::isfinite(gain) && gain > 0, "gain must be positive, got ", gain);

  if (!faults.empty()) return faults;  // the rest needs sound numbers
  require(orders.empty() || identity || harmonic != HarmonicKind::none || !layer_terms(*this).empty(),
          "with orders = ", options::to_text(orders), " of a complex of order = ", order,
          " the layer has no term at all: the lower side needs an order of at least 1, the upper side one "
          "below order");
  const bool both_sides = lower.used() && upper.used() && order >= 1;
  require(
      !both_sides || (lower_shift == ShiftKind::weighted) == (upper_shift == ShiftKind::weighted),
      "a learned metric (weighted) changes every boundary operator: lower_shift and upper_shift must both be "
      "weighted, got ",
      name_of(lower_shift), " and ", name_of(upper_shift));
  require(!uses(ShiftKind::weighted) || orders.empty(),
          "weighted shifts need the signals of every order, but orders = ", options::to_text(orders));
  if (sharing == Sharing::joint && both_sides) {
    require((lower_shift == ShiftKind::attention) == (upper_shift == ShiftKind::attention),
            "sharing joint has one operator for both sides: lower_shift and upper_shift must both be "
            "attention or "
            "neither, got ",
            name_of(lower_shift), " and ", name_of(upper_shift));
    require(lower_shift != ShiftKind::attention || lower.own == upper.own,
            "joint attention has one operator for both sides: lower.own and upper.own must agree, got ",
            lower.own, " and ", upper.own);
  }
  require(!share_attention ||
              (lower.own == upper.own && lower.neighbor == upper.neighbor && lower.first == upper.first),
          "share_attention needs the same taps on both sides, got own ", lower.own, " and ", upper.own,
          ", neighbor ", lower.neighbor, " and ", upper.neighbor, ", first ", lower.first, " and ",
          upper.first);
  if (basis == Basis::chebyshev) {
    require(lower.neighbor == 0 && upper.neighbor == 0,
            "basis chebyshev filters the own order only: neighbor taps must be 0, got ", lower.neighbor,
            " and ", upper.neighbor);
    require(identity, "basis chebyshev starts with T_0 = I: set identity");
    require(lower.own == 0 || upper.own == 0 ||
                (sharing == Sharing::lower_upper && lower_shift == upper_shift && lower.own == upper.own),
            "basis chebyshev needs one operator per order: one side only, or sharing lower=upper with equal "
            "shifts and "
            "taps");
    for (const ShiftKind kind : {lower_shift, upper_shift})
      require(kind != ShiftKind::attention && kind != ShiftKind::weighted,
              "basis chebyshev is for Laplacians that depend on the complex alone, got ", name_of(kind));
  }
  const bool one_identity = sharing == Sharing::dirac || sharing == Sharing::joint;
  require(!(identity && one_identity && harmonic == HarmonicKind::skip),
          "identity and harmonic=skip are the same term with sharing ", name_of(sharing), ": choose one");
  require(!(is_equivariant && bias),
          "equivariant layers follow orientations, which a bias does not: choose one");
  const bool attends = lower_shift == ShiftKind::attention || upper_shift == ShiftKind::attention;
  require(attends || gate == Gate::softmax, "gate=", name_of(gate), " is for attention, but the shifts are ",
          name_of(lower_shift), " and ", name_of(upper_shift));
  const bool has_metric = lower_shift == ShiftKind::weighted || upper_shift == ShiftKind::weighted;
  require(has_metric || (metric_start == MetricStart::random && metric_scale == MetricScale::softmax &&
                         metric_bound == 0 && !metric_normalized),
          "metric_start, metric_scale, metric_bound and metric_normalized are for weighted shifts, got ",
          name_of(lower_shift), " and ", name_of(upper_shift));
  if (incidence == IncidenceKind::absolute) {
    require(harmonic != HarmonicKind::projector && harmonic != HarmonicKind::exact,
            "incidence=unsigned has no harmonic part to keep (|B||B| is not 0), got harmonic=",
            name_of(harmonic), ": choose harmonic=skip or none");
    require(!is_equivariant, "incidence=unsigned is for data without orientation: equivariant must be false");
  }
  return faults;
}

void SimplicialLayerOptions::validate() const { options::report("the layer", faults()); }

}  // namespace gsan
