#include "gsan/laws/laws.h"

#include "gsan/laws/layer_laws.h"
#include "gsan/laws/operator_laws.h"

namespace gsan::laws {

std::vector<Law> measure_laws(const ComplexOperators& operators, const LawOptions& options) {
  std::vector<Law> laws = measure_operator_laws(operators, options);
  for (Law& law : measure_layer_laws(operators, options.seed)) laws.push_back(std::move(law));
  return laws;
}

}  // namespace gsan::laws
