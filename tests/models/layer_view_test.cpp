#include "gsan/models/layer_view.h"

#include <gtest/gtest.h>

#include "gsan/models/backbones/layers.h"
#include "gsan/models/model_kinds.h"
#include "gsan/topology/examples.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

Model made(const std::string& name) {
  ModelShape shape;
  shape.in_channels = {3, 3, 3};
  return Model(model_spec(name, "none"), shape, RandomStream(3, "test"));
}

Cochains ones(const ComplexOperators& operators) {
  Cochains x;
  for (int k = 0; k <= 2; ++k) x.push_back(torch::linspace(-1, 1, operators.count(k) * 3).view({-1, 3}));
  return x;
}

TEST(LayerView, ShowsWhatTheLayerIsGivenAndChangesNothing) {
  Model model = made("gsan");
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = ones(operators);
  model->train();
  const LayerView second = view_layer(model, operators, x, 2);
  EXPECT_TRUE(model->is_training());
  model->eval();
  const torch::NoGradGuard no_grad;
  const ModelOutput output = model->forward(operators, x);
  for (int k = 0; k <= 2; ++k) EXPECT_TRUE(torch::equal(second.input[k], output.backbone.layers[0][k]));
  LayerView last = view_layer(model, operators, x, 2);
  EXPECT_TRUE(torch::equal(last.layer->forward(operators, last.input)[1], output.backbone.layers[1][1]));
}

TEST(LayerView, NamesLayersThatAreNotThere) {
  const ComplexOperators operators(example_complex("annulus").complex);
  Model model = made("gsan"), other = made("mpsn");
  expect_error(Fault::argument, {"layers 1 ... 2", "got 3"},
               [&] { view_layer(model, operators, ones(operators), 3); });
  expect_error(Fault::argument, {"mpsn", "not made of simplicial layers"},
               [&] { view_layer(other, operators, ones(operators), 1); });
}

}  // namespace
}  // namespace gsan
