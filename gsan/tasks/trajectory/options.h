#pragma once

#include "gsan/core/options.h"
#include "gsan/tasks/shared/classification.h"

namespace gsan {

/// How the simplices of the complex are oriented, the signals with them.
enum class OrientationChoice {
  standard,  ///< by increasing vertices
  random,    ///< a coin for every simplex, by the seed; x, B_1 and B_2 change together
};

template <>
struct EnumNames<OrientationChoice> {
  static constexpr std::pair<OrientationChoice, std::string_view> names[] = {
      {OrientationChoice::standard, "default"}, {OrientationChoice::random, "random"}};
};

struct TrajectoryOptions {
  int batch_size = 64;
  OrientationChoice orientation = OrientationChoice::standard;
  ClassChoice choose_by = ClassChoice::accuracy;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "signals of a training step");
    visit("orientation", self.orientation, "of the complex and its signals; random: drawn by the seed");
    visit("choose_by", self.choose_by, class_choice_help);
  }
};

}  // namespace gsan
