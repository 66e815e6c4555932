#pragma once
// What a simplicial layer computes (spec 2–6, 9). One struct spans the family: published
// architectures are values of it (models/presets).

#include <vector>

#include "gsan/nn/activation.h"
#include "gsan/nn/attention/mechanisms.h"
#include "gsan/nn/initialization.h"

namespace gsan {

/// Which sides of which orders use the same weights W. The weight of an own-order term and that of a
/// neighbour-order term are different matrices in every mode.
enum class Sharing {
  dirac,        ///< one set per component D^(j): the lower side of order j and the upper side of j − 1
  joint,        ///< one set for all; with attention the own-order terms use one operator per order (spec 5)
  none,         ///< one set per order and side
  lower_upper,  ///< as none, but the own-order terms of both sides of an order are tied
};

/// What stands for the Laplacian S of a side.
enum class ShiftKind {
  hodge,             ///< L_k^d, L_k^u
  normalized,        ///< the same over λ_max(L_k) of each complex
  centered,          ///< 2 L_k/λ_max − I, for Chebyshev polynomials
  bunch,             ///< normalised as by Bunch et al. (hodge/side_operator.h)
  signed_adjacency,  ///< its off-diagonal part
  renormalized,      ///< Kipf's self-loop normalisation, I − D̃^{−1/2} L D̃^{−1/2}
  attention,         ///< learned weights over the neighbours (spec 3)
  weighted,          ///< Laplacian of B_W with a learned metric (spec 6)
};

enum class HarmonicKind {
  projector,  ///< Q̂ = (I − ε L)^T (spec 4)
  exact,      ///< what Q̂ tends to: P, from a basis of the harmonic signals (hodge/harmonic_basis.h)
  skip,       ///< Z itself
  none,
};
enum class HeadMode { concat, mean };

/// Which boundary operators: those of oriented data (flows), or |B| for data without a sign (spec 9).
enum class IncidenceKind { with_signs, absolute };

/// First values of a learned metric.
enum class MetricStart {
  random,   ///< as any weights
  uniform,  ///< W2 = 0: every simplex has the same weight
};
/// What the weights of a learned metric add up to on the simplices of one order and complex.
enum class MetricScale {
  softmax,   ///< 1
  mean_one,  ///< their number
};

/// Of which polynomials of S the own-order terms are made.
enum class Basis {
  monomial,   ///< S^p
  chebyshev,  ///< T_p(S); identity tap included, no neighbour-order terms
};

/// The powers of S on one side: S^1 … S^own of the order's own signal, and `neighbor` powers of the
/// signal that the neighbouring order sends, from S^first on.
struct SideTaps {
  int own = 2;
  int neighbor = 2;
  int first =
      0;  ///< first power of the neighbour terms: 0 (the equations) or 1 (filter length n of the tables)

  bool used() const { return own > 0 || neighbor > 0; }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("own", self.own, "powers 1 ... own of the operator on the order's own signal");
    visit("neighbor", self.neighbor, "number of powers on the signal of the neighbouring order");
    visit("first", self.first, "first of these powers: 0 or 1");
  }
};

inline constexpr int largest_order = 63;

struct SimplicialLayerOptions {
  int in_channels = 1;
  int out_channels = 1;  ///< per head; the output has heads · out_channels features with `concat`

  int order = 2;              ///< K: the largest order of the complexes that the layer is made for
  std::vector<int> orders{};  ///< the orders that carry signals, increasing; empty = 0 … K

  SideTaps lower, upper;  ///< default: J = 4
  bool identity = false;  ///< adds Z_k W_0: one matrix per order (sharing none, lower_upper) or one for all
  Basis basis = Basis::monomial;
  Sharing sharing = Sharing::dirac;
  ShiftKind lower_shift = ShiftKind::attention, upper_shift = ShiftKind::attention;

  IncidenceKind incidence = IncidenceKind::with_signs;

  Mechanism mechanism = Mechanism::gat;
  Gate gate = Gate::softmax;
  int attention_channels = 0;    ///< d of gatv2 and dot; 0 = out_channels
  bool share_attention = false;  ///< lower and upper side use the same attention parameters
  double negative_slope = 0.2;   ///< of every LReLU of scores and metric
  bool is_equivariant = false;   ///< attention and metric that follow orientations (spec 3, 6)
  int metric_channels = 0;       ///< hidden width of the metric's MLP; 0 = out_channels
  MetricStart metric_start = MetricStart::random;
  MetricScale metric_scale = MetricScale::softmax;
  double metric_bound = 0;         ///< c: logits become c·tanh(logit/c); 0 = unbounded
  bool metric_normalized = false;  ///< S = L_W/λ̄_W of each complex and head in the place of L_W

  HarmonicKind harmonic = HarmonicKind::projector;
  int harmonic_steps = 10;                 ///< T
  std::vector<double> harmonic_epsilon{};  ///< ε_0 … ε_K; empty = 1/λ̄_k of each complex

  int heads = 1;
  HeadMode head_mode = HeadMode::concat;
  double dropout = 0;            ///< of the input features
  double attention_dropout = 0;  ///< of α
  Activation activation = Activation::tanh;
  bool bias = false;      ///< one vector per order
  double bias_range = 0;  ///< its first values: uniform in ± this
  Initialization initialization = Initialization::xavier_uniform;
  double gain = 1;

  /// Taps of a filter of length J in the Dirac operator: own powers 1 … ⌊J/2⌋ and neighbour powers
  /// 0 … ⌈J/2⌉ − 1 on both sides (spec 2).
  SimplicialLayerOptions& set_dirac_taps(int J);
  /// Own-order powers 1 … n and neighbour-order powers 1 … n on both sides: what the tables of the
  /// paper call filter length n.
  SimplicialLayerOptions& set_filter_length(int n);
  SimplicialLayerOptions& set_shift(ShiftKind kind);  ///< on both sides

  /// 0 … K or `orders`.
  std::vector<int> active_orders() const;
  bool is_active(int k) const;
  int output_channels() const { return head_mode == HeadMode::concat ? heads * out_channels : out_channels; }
  const SideTaps& taps(bool is_lower) const { return is_lower ? lower : upper; }
  ShiftKind shift(bool is_lower) const { return is_lower ? lower_shift : upper_shift; }
  /// Whether a side of the given kind carries any term on some active order.
  bool uses(ShiftKind kind) const;

  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("in_channels", self.in_channels);
    visit("out_channels", self.out_channels);
    visit("order", self.order);
    visit("orders", self.orders, "orders that carry signals, increasing; empty: all");
    visit("lower", self.lower);
    visit("upper", self.upper);
    visit("identity", self.identity, "adds a map of the signal itself");
    visit("basis", self.basis, "polynomials of the operator: powers or Chebyshev");
    visit("sharing", self.sharing, "which sides of which orders use the same weights");
    visit("lower_shift", self.lower_shift, "operator of the lower side");
    visit("upper_shift", self.upper_shift, "operator of the upper side");
    visit(
        "incidence", self.incidence,
        "signed: boundary operators with signs, for oriented data (flows); unsigned: without, for counts and "
        "features");
    visit("mechanism", self.mechanism, "how attention scores pairs of simplices");
    visit("gate", self.gate, "attention weights: softmax over the neighbours, or a sigmoid of each");
    visit("attention_channels", self.attention_channels, "width of gatv2 and dot scores; 0: that of a head");
    visit("share_attention", self.share_attention, "lower and upper side use the same attention weights");
    visit("negative_slope", self.negative_slope, "of the LeakyReLU in scores");
    visit("equivariant", self.is_equivariant, "attention and metric that follow orientations");
    visit("metric_channels", self.metric_channels, "hidden width of a learned metric; 0: that of a head");
    visit("metric_start", self.metric_start, "first values of a learned metric: random or uniform");
    visit("metric_scale", self.metric_scale,
          "weights of a learned metric sum to 1 (softmax) or to the number of simplices (mean_one)");
    visit("metric_bound", self.metric_bound,
          "bound of a learned metric's logits, c tanh(logit / c); 0: none");
    visit("metric_normalized", self.metric_normalized,
          "divides the Laplacian of a learned metric by a bound of its largest eigenvalue");
    visit("harmonic", self.harmonic,
          "harmonic term: projector (steps), exact (from a basis), skip (the signal itself) or none");
    visit("harmonic_steps", self.harmonic_steps, "steps of the harmonic projector");
    visit("harmonic_epsilon", self.harmonic_epsilon,
          "step size of the projector per order; empty: chosen by the complex");
    visit("heads", self.heads, "attention heads");
    visit("head_mode", self.head_mode, "heads side by side (concat) or averaged (mean)");
    visit("dropout", self.dropout, "of the features that enter a layer");
    visit("attention_dropout", self.attention_dropout, "of attention weights");
    visit("activation", self.activation, "after every layer");
    visit("bias", self.bias, "adds a vector per order; not with equivariant");
    visit("bias_range", self.bias_range, "first values of the bias: uniform in +- this");
    visit("initialization", self.initialization, "first values of the weights");
    visit("gain", self.gain, "factor on the first values");
  }
};

template <>
struct EnumNames<Sharing> {
  static constexpr std::pair<Sharing, std::string_view> names[] = {{Sharing::dirac, "dirac"},
                                                                   {Sharing::joint, "joint"},
                                                                   {Sharing::none, "none"},
                                                                   {Sharing::lower_upper, "lower=upper"}};
};
template <>
struct EnumNames<ShiftKind> {
  static constexpr std::pair<ShiftKind, std::string_view> names[] = {
      {ShiftKind::hodge, "hodge"},
      {ShiftKind::normalized, "normalized"},
      {ShiftKind::centered, "centered"},
      {ShiftKind::bunch, "bunch"},
      {ShiftKind::signed_adjacency, "signed_adjacency"},
      {ShiftKind::renormalized, "renormalized"},
      {ShiftKind::attention, "attention"},
      {ShiftKind::weighted, "weighted"}};
};
template <>
struct EnumNames<HarmonicKind> {
  static constexpr std::pair<HarmonicKind, std::string_view> names[] = {
      {HarmonicKind::projector, "projector"},
      {HarmonicKind::exact, "exact"},
      {HarmonicKind::skip, "skip"},
      {HarmonicKind::none, "none"}};
};
template <>
struct EnumNames<HeadMode> {
  static constexpr std::pair<HeadMode, std::string_view> names[] = {{HeadMode::concat, "concat"},
                                                                    {HeadMode::mean, "mean"}};
};
template <>
struct EnumNames<IncidenceKind> {
  static constexpr std::pair<IncidenceKind, std::string_view> names[] = {
      {IncidenceKind::with_signs, "signed"}, {IncidenceKind::absolute, "unsigned"}};
};
template <>
struct EnumNames<MetricStart> {
  static constexpr std::pair<MetricStart, std::string_view> names[] = {{MetricStart::random, "random"},
                                                                       {MetricStart::uniform, "uniform"}};
};
template <>
struct EnumNames<MetricScale> {
  static constexpr std::pair<MetricScale, std::string_view> names[] = {{MetricScale::softmax, "softmax"},
                                                                       {MetricScale::mean_one, "mean_one"}};
};
template <>
struct EnumNames<Basis> {
  static constexpr std::pair<Basis, std::string_view> names[] = {{Basis::monomial, "monomial"},
                                                                 {Basis::chebyshev, "chebyshev"}};
};

}  // namespace gsan
