#include "gsan/models/presets.h"

namespace gsan::presets {
namespace {

SimplicialLayerOptions start(const PresetArguments& arguments) {
  SimplicialLayerOptions options;
  options.in_channels = arguments.in_channels;
  options.out_channels = arguments.out_channels;
  options.order = arguments.order;
  options.heads = arguments.heads;
  return options;
}

int length_or(const PresetArguments& arguments, int published) {
  return arguments.length > 0 ? arguments.length : published;
}

// A model whose equation has one power.
int one_power(const PresetArguments& arguments, const char* name) {
  GSAN_CHECK(arguments.length <= 1, name,
             ": the equation of this model has one power, got length = ", arguments.length);
  return 1;
}

// A model of all orders.
SimplicialLayerOptions all_orders(const PresetArguments& arguments, const char* name) {
  GSAN_CHECK(arguments.signal_order < 0, name,
             ": this model works on all orders, got signal_order = ", arguments.signal_order);
  return start(arguments);
}

// One kind of simplex, own-order powers only, weights of its own for each side, no harmonic term.
SimplicialLayerOptions one_order(const PresetArguments& arguments, int standard_order, int lower, int upper,
                                 ShiftKind kind) {
  SimplicialLayerOptions options = start(arguments);
  options.orders = {arguments.signal_order >= 0 ? arguments.signal_order : standard_order};
  options.lower = {.own = lower, .neighbor = 0, .first = 0};
  options.upper = {.own = upper, .neighbor = 0, .first = 0};
  options.sharing = Sharing::none;
  options.harmonic = HarmonicKind::none;
  options.set_shift(kind);
  return options;
}

}  // namespace

SimplicialLayerOptions gat(const PresetArguments& arguments) {
  SimplicialLayerOptions options =
      one_order(arguments, 0, 0, one_power(arguments, "gat"), ShiftKind::attention);
  options.activation = Activation::elu;
  return options;
}

SimplicialLayerOptions gcn(const PresetArguments& arguments) {
  SimplicialLayerOptions options =
      one_order(arguments, 0, 0, one_power(arguments, "gcn"), ShiftKind::renormalized);
  options.activation = Activation::relu;
  return options;
}

SimplicialLayerOptions gcn_chebyshev(const PresetArguments& arguments) {
  SimplicialLayerOptions options = one_order(arguments, 0, 0, length_or(arguments, 2), ShiftKind::centered);
  options.identity = true;
  options.basis = Basis::chebyshev;
  options.activation = Activation::relu;
  return options;
}

SimplicialLayerOptions gcn_polynomial(const PresetArguments& arguments) {
  SimplicialLayerOptions options = one_order(arguments, 0, 0, length_or(arguments, 1), ShiftKind::bunch);
  options.identity = true;
  options.activation = Activation::leaky_relu;
  return options;
}

SimplicialLayerOptions snn(const PresetArguments& arguments) {
  const int powers = length_or(arguments, 4);
  SimplicialLayerOptions options = one_order(arguments, 1, powers, powers, ShiftKind::normalized);
  options.identity = true;
  options.basis = Basis::chebyshev;
  options.sharing = Sharing::lower_upper;
  options.activation = Activation::leaky_relu;
  return options;
}

SimplicialLayerOptions psnn(const PresetArguments& arguments) {
  const int power = one_power(arguments, "psnn");
  SimplicialLayerOptions options = one_order(arguments, 1, power, power, ShiftKind::hodge);
  options.identity = true;
  options.activation = Activation::tanh;
  return options;
}

SimplicialLayerOptions hodgenet(const PresetArguments& arguments) {
  SimplicialLayerOptions options = one_order(arguments, 1, length_or(arguments, 2), 0, ShiftKind::hodge);
  options.identity = true;
  options.activation = Activation::relu;
  return options;
}

SimplicialLayerOptions scnn(const PresetArguments& arguments) {
  const int powers = length_or(arguments, 2);
  SimplicialLayerOptions options = one_order(arguments, 1, powers, powers, ShiftKind::hodge);
  options.identity = true;
  options.activation = Activation::leaky_relu;
  return options;
}

SimplicialLayerOptions bunch(const PresetArguments& arguments) {
  SimplicialLayerOptions options = all_orders(arguments, "bunch");
  options.lower = options.upper = {.own = one_power(arguments, "bunch"), .neighbor = 1, .first = 0};
  options.sharing = Sharing::lower_upper;
  options.set_shift(ShiftKind::bunch);
  options.harmonic = HarmonicKind::none;
  options.activation = Activation::relu;
  return options;
}

SimplicialLayerOptions sccnn(const PresetArguments& arguments) {
  SimplicialLayerOptions options = all_orders(arguments, "sccnn");
  const int powers = length_or(arguments, 2);
  options.lower = options.upper = {.own = powers, .neighbor = powers + 1, .first = 0};
  options.identity = true;
  options.sharing = Sharing::none;
  options.set_shift(ShiftKind::hodge);
  options.harmonic = HarmonicKind::none;
  options.activation = Activation::leaky_relu;
  return options;
}

SimplicialLayerOptions sat(const PresetArguments& arguments) {
  const int power = one_power(arguments, "sat");
  SimplicialLayerOptions options = one_order(arguments, 1, power, power, ShiftKind::attention);
  options.sharing = Sharing::lower_upper;
  options.share_attention = true;
  options.is_signed = true;
  options.activation = Activation::relu;
  return options;
}

SimplicialLayerOptions san(const PresetArguments& arguments) {
  const int powers = length_or(arguments, 2);
  SimplicialLayerOptions options = one_order(arguments, 1, powers, powers, ShiftKind::attention);
  options.harmonic = HarmonicKind::projector;
  return options;
}

SimplicialLayerOptions gsccn(const PresetArguments& arguments) {
  return gsan(arguments).set_shift(ShiftKind::hodge);
}

SimplicialLayerOptions gsan(const PresetArguments& arguments) {
  return all_orders(arguments, "gsan")
      .set_dirac_taps(length_or(arguments, 4))
      .set_shift(ShiftKind::attention);
}

SimplicialLayerOptions gsan_joint(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gsan(arguments);
  options.sharing = Sharing::joint;
  options.harmonic = HarmonicKind::none;
  return options;
}

SimplicialLayerOptions gsan_hodge(const PresetArguments& arguments) {
  return gsan(arguments).set_shift(ShiftKind::weighted);
}

SimplicialLayerOptions gf(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gcn_polynomial(arguments);
  options.activation = Activation::identity;
  return options;
}

SimplicialLayerOptions scf(const PresetArguments& arguments) {
  SimplicialLayerOptions options = scnn(arguments);
  options.activation = Activation::identity;
  return options;
}

SimplicialLayerOptions cf_sc(const PresetArguments& arguments) {
  SimplicialLayerOptions options = sccnn(arguments);
  options.activation = Activation::identity;
  return options;
}

SimplicialLayerOptions mpsn_flow(const PresetArguments& arguments) {
  one_power(arguments, "mpsn-flow");
  return psnn(arguments).set_shift(ShiftKind::signed_adjacency);
}

SimplicialLayerOptions gsan_no_attention(const PresetArguments& arguments) { return gsccn(arguments); }

SimplicialLayerOptions gsan_normalized(const PresetArguments& arguments) {
  return gsan(arguments).set_shift(ShiftKind::normalized);
}

SimplicialLayerOptions gsan_only_lower(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gsan(arguments);
  options.upper_shift = ShiftKind::hodge;
  return options;
}

SimplicialLayerOptions gsan_only_upper(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gsan(arguments);
  options.lower_shift = ShiftKind::hodge;
  return options;
}

SimplicialLayerOptions gsan_only_lower_normalized(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gsan(arguments);
  options.upper_shift = ShiftKind::normalized;
  return options;
}

SimplicialLayerOptions gsan_only_upper_normalized(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gsan(arguments);
  options.lower_shift = ShiftKind::normalized;
  return options;
}

SimplicialLayerOptions gsan_no_sharing(const PresetArguments& arguments) {
  SimplicialLayerOptions options = gsan(arguments);
  options.sharing = Sharing::none;
  return options;
}

}  // namespace gsan::presets
