#pragma once
// The laws of spec 8 that need no layer. Where integers keep the arithmetic exact the bound is 0.

#include "gsan/laws/laws.h"

namespace gsan::laws {

std::vector<Law> measure_operator_laws(const ComplexOperators& operators, const LawOptions& options);

}  // namespace gsan::laws
