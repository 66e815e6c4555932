// A program of somebody else's: a filled triangle beside an empty one, and B B = 0.
#include <cstdio>

#include <torch/types.h>

#include "gsan/hodge/operators.h"
#include "gsan/topology/builder.h"

int main() {
  const gsan::ComplexOperators operators(
      gsan::ComplexBuilder().add({0, 1, 2}).add({2, 3}).add({3, 4}).add({2, 4}).build());
  const auto x = torch::ones({operators.count(2), 3}, torch::kFloat64);
  const auto flow = operators.incidence(2).boundary(x);
  const double divergence = operators.incidence(1).boundary(flow).abs().max().item<double>();
  std::printf("%ld edges, |B1 B2 x| = %g\n", static_cast<long>(operators.count(1)), divergence);
  return operators.count(1) == 6 && flow.abs().sum().item<double>() == 9.0 && divergence == 0.0 ? 0 : 1;
}
