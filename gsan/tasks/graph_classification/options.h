#pragma once

#include "gsan/core/options.h"

namespace gsan {

struct GraphClassificationOptions {
  int batch_size = 36;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "complexes of a training step");
  }
};

}  // namespace gsan
