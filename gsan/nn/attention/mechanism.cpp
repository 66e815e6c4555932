#include "gsan/nn/attention/mechanism.h"

#include "gsan/core/check.h"

namespace gsan {

#define GSAN_MECHANISM(name) extern const AttentionMechanism name##_mechanism;
#include "gsan/nn/attention/mechanisms.def"
#undef GSAN_MECHANISM

const AttentionMechanism& mechanism_of(Mechanism mechanism) {
  switch (mechanism) {
#define GSAN_MECHANISM(name) \
  case Mechanism::name:      \
    return name##_mechanism;
#include "gsan/nn/attention/mechanisms.def"
#undef GSAN_MECHANISM
  }
  fail(Fault::argument, "Attention: unknown mechanism ", static_cast<int>(mechanism));
}

}  // namespace gsan
