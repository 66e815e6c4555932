#pragma once

#include "gsan/core/options.h"
#include "gsan/tasks/shared/classification.h"
#include "gsan/tasks/shared/structure.h"

namespace gsan {

struct GraphClassificationOptions {
  int batch_size = 36;
  StructureChoice structure = StructureChoice::none;
  ClassChoice choose_by = ClassChoice::accuracy;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "complexes of a training step");
    visit("structure", self.structure, structure_help);
    visit("choose_by", self.choose_by, class_choice_help);
  }
};

}  // namespace gsan
