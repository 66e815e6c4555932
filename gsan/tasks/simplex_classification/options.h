#pragma once

#include "gsan/core/options.h"

namespace gsan {

struct SimplexClassificationOptions {
  int order = 0;
  double validation = 0.2, test = 0.2;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the simplices that have classes");
    visit("validation", self.validation, "share of the known classes that chooses the epoch");
    visit("test", self.test, "share of the known classes for the one look at the end");
  }
};

}  // namespace gsan
