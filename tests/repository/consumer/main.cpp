// A program of somebody else's: a filled triangle beside an empty one, B B = 0, and the network of README.md.
#include <iostream>
#include <sstream>

#include "gsan/gsan.h"

int main() {
  const gsan::ComplexOperators operators(
      gsan::ComplexBuilder().add({0, 1, 2}).add({2, 3}).add({3, 4}).add({2, 4}).build());
  const auto x = torch::ones({operators.count(2), 3}, torch::kFloat64);
  const auto flow = operators.incidence(2).boundary(x);
  const double divergence = operators.incidence(1).boundary(flow).abs().max().item<double>();
  std::ostringstream line;  // a stream here, streams in gsan and torch: one C++ library, or this crashes
  line << operators.count(1) << " edges, |B1 B2 x| = " << divergence;
  std::cout << line.str() << std::endl;

  gsan::NetworkOptions options;
  options.in_channels = {3, 5, 0};
  options.embedding_channels = 16;
  options.widths = {16, 2};
  options.layer = gsan::presets::gsan({.order = 2, .length = 2});
  gsan::Network network(options);
  const auto output = network->forward(
      operators, {torch::randn({operators.count(0), 3}), torch::randn({operators.count(1), 5})});
  const auto edges = output.layers.back()[1];
  edges.sum().backward();
  if (edges.size(0) != operators.count(1) || edges.size(1) != 2) return 2;
  for (const auto& parameter : network->parameters())
    if (!parameter.requires_grad()) return 3;
  try {
    gsan::example_complex("nothing");
    return 4;
  } catch (const gsan::Error& error) {  // made by a stream of gsan's, read by ours
    std::cout << error.what() << std::endl;
  }

  return operators.count(1) == 6 && flow.abs().sum().item<double>() == 9.0 && divergence == 0.0 ? 0 : 1;
}
