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

SimplicialLayerOptions with_activation(SimplicialLayerOptions options, Activation activation) {
  options.activation = activation;
  return options;
}

SimplicialLayerOptions with_shifts(SimplicialLayerOptions options, ShiftKind lower, ShiftKind upper) {
  options.lower_shift = lower;
  options.upper_shift = upper;
  return options;
}

}  // namespace

#define GSAN_PRESET(function, python_class, equation, citation, ...) \
  SimplicialLayerOptions function(const PresetArguments& arguments) __VA_ARGS__
#include "gsan/models/presets.def"

}  // namespace gsan::presets
