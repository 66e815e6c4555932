#pragma once

#include "gsan/core/options.h"
#include "gsan/tasks/shared/classification.h"
#include "gsan/tasks/shared/structure.h"

namespace gsan {

struct SimplexClassificationOptions {
  int order = 0;
  double validation = 0.2, test = 0.2;
  StructureChoice structure = StructureChoice::none;
  ClassChoice choose_by = ClassChoice::accuracy;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the simplices that have classes");
    visit("validation", self.validation, "share of the known classes that chooses the epoch");
    visit("test", self.test, "share of the known classes for the one look at the end");
    visit("structure", self.structure, structure_help);
    visit("choose_by", self.choose_by, class_choice_help);
  }
};

}  // namespace gsan
