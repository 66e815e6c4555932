#pragma once

#include "gsan/tasks/shared/regression.h"
#include "gsan/tasks/shared/structure.h"

namespace gsan {

struct SimplexRegressionOptions {
  int order = 0;
  double validation = 0.2, test = 0.2;
  RegressionLoss loss = RegressionLoss::mse;
  StructureChoice structure = StructureChoice::none;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the simplices that have targets");
    visit("validation", self.validation, "share of the known targets that chooses the epoch");
    visit("test", self.test, "share of the known targets for the one look at the end");
    visit("loss", self.loss, "squared errors (mse) or absolute ones (l1), of standardised targets");
    visit("structure", self.structure, structure_help);
  }
};

}  // namespace gsan
