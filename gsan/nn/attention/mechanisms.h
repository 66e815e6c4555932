#pragma once
// The attention mechanisms by name; what each of them is: mechanism.h.

#include <string_view>
#include <utility>

#include "gsan/core/options.h"

namespace gsan {

enum class Mechanism {
#define GSAN_MECHANISM(name) name,
#include "gsan/nn/attention/mechanisms.def"
#undef GSAN_MECHANISM
};

/// How scores γ become weights α (spec 3, 9).
enum class Gate {
  softmax,  ///< over the neighbours of a simplex: they compete
  sigmoid,  ///< 1/(1 + e^{−γ}) of each by itself: a row can add up
};

template <>
struct EnumNames<Gate> {
  static constexpr std::pair<Gate, std::string_view> names[] = {{Gate::softmax, "softmax"},
                                                                {Gate::sigmoid, "sigmoid"}};
};

template <>
struct EnumNames<Mechanism> {
  static constexpr std::pair<Mechanism, std::string_view> names[] = {
#define GSAN_MECHANISM(name) {Mechanism::name, #name},
#include "gsan/nn/attention/mechanisms.def"
#undef GSAN_MECHANISM
  };
};

}  // namespace gsan
