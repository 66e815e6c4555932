#pragma once

#include "gsan/tasks/shared/regression.h"
#include "gsan/tasks/shared/structure.h"

namespace gsan {

struct GraphRegressionOptions {
  int batch_size = 36;
  RegressionLoss loss = RegressionLoss::mse;
  StructureChoice structure = StructureChoice::none;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "complexes of a training step");
    visit("loss", self.loss, "squared errors (mse) or absolute ones (l1), of standardised targets");
    visit("structure", self.structure, structure_help);
  }
};

}  // namespace gsan
