#pragma once
// The parts of a Hodge decomposition have the same colour in every picture.

#include "gsan/hodge/spectral/spectrum.h"

namespace gsan::app {

inline constexpr HodgePart all_parts[] = {HodgePart::gradient, HodgePart::curl, HodgePart::harmonic};

/// Curve::series of a part.
constexpr int part_series(HodgePart part) { return static_cast<int>(part); }

}  // namespace gsan::app
