#pragma once

#include "gsan/core/options.h"
#include "gsan/tasks/shared/classification.h"

namespace gsan {

/// How the simplices of the complex are oriented, the signals with them.
enum class OrientationChoice {
  standard,  ///< by increasing vertices
  /// A coin for every simplex, by the seed; x, B_1 and B_2 change together. One draw for all that is trained
  /// on, and one for every other signal: what does not follow orientations does not find them again.
  random,
};
/// What answers under the published protocol.
enum class TrajectoryReadout {
  flattened,  ///< linear on the flattened signal
  pooled,     ///< as under the strict one
};

template <>
struct EnumNames<OrientationChoice> {
  static constexpr std::pair<OrientationChoice, std::string_view> names[] = {
      {OrientationChoice::standard, "default"}, {OrientationChoice::random, "random"}};
};
template <>
struct EnumNames<TrajectoryReadout> {
  static constexpr std::pair<TrajectoryReadout, std::string_view> names[] = {
      {TrajectoryReadout::flattened, "flattened"}, {TrajectoryReadout::pooled, "pooled"}};
};

struct TrajectoryOptions {
  int batch_size = 64;
  OrientationChoice orientation = OrientationChoice::standard;
  ClassChoice choose_by = ClassChoice::accuracy;
  TrajectoryReadout readout = TrajectoryReadout::flattened;  ///< published only

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("batch_size", self.batch_size, "signals of a training step");
    visit("orientation", self.orientation,
          "of the complex and its signals; random: drawn by the seed, once for the training set and anew for "
          "every other signal");
    visit("choose_by", self.choose_by, class_choice_help);
    visit("readout", self.readout,
          "published protocol: linear on the flattened signal, or pooled over the simplices");
  }
};

}  // namespace gsan
