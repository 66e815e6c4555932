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

template <>
struct EnumNames<Mechanism> {
  static constexpr std::pair<Mechanism, std::string_view> names[] = {
#define GSAN_MECHANISM(name) {Mechanism::name, #name},
#include "gsan/nn/attention/mechanisms.def"
#undef GSAN_MECHANISM
  };
};

}  // namespace gsan
