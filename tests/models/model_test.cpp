#include "gsan/models/model.h"

#include <gtest/gtest.h>

#include "gsan/models/registry.h"
#include "gsan/topology/examples.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

Cochains random_signals(const ComplexOperators& operators, int width) {
  torch::manual_seed(1);
  Cochains x;
  for (int k = 0; k <= 2; ++k) x.push_back(torch::randn({operators.count(k), width}));
  return x;
}

ModelOptions small_model(BackboneKind backbone, ReadoutKind readout) {
  ModelOptions options;
  options.backbone = backbone;
  options.readout = readout;
  options.network.in_channels = options.mpsn.in_channels = options.mlp.in_channels = {3, 3, 3};
  options.network.layer = presets::gsan({});
  options.network.layer.heads = 2;
  options.network.widths = {4, 5};
  options.mpsn.hidden_channels = options.mlp.hidden_channels = 4;
  options.mpsn.n_layers = options.mlp.n_layers = 2;
  options.pooled.out_channels = options.head.out_channels = 2;
  return options;
}

Tensor run(Model& model, const ComplexOperators& operators, const Cochains& x) {
  const Tensor tuples = torch::tensor({{0, 1, 2}, {3, 4, 5}}, torch::kInt64);
  const ModelOutput output =
      model->forward(operators, x, {}, model->options().readout == ReadoutKind::tuple ? tuples : Tensor());
  return output.values.defined() ? output.values : output.backbone.layers.back()[1];
}

TEST(Model, EveryBackboneWorksWithEveryReadoutAndComesBackFromItsFile) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  const TemporaryFolder folder;
  for (const auto& [backbone, backbone_name] : EnumNames<BackboneKind>::names) {
    for (const auto& [readout, readout_name] : EnumNames<ReadoutKind>::names) {
      SCOPED_TRACE(concat(backbone_name, " with ", readout_name));
      ModelOptions options = small_model(backbone, readout);
      options.flattened.simplices = static_cast<int>(operators.count(1));
      Model model(options, RandomStream(3, "test"));
      model->eval();
      Tensor y = run(model, operators, x);
      if (readout == ReadoutKind::flattened) y = y.unsqueeze(0);
      const std::int64_t rows = readout == ReadoutKind::pooled || readout == ReadoutKind::flattened ? 1
                                : readout == ReadoutKind::tuple                                     ? 2
                                                                : operators.count(1);
      EXPECT_EQ(y.size(0), rows);
      if (readout != ReadoutKind::none) {
        EXPECT_EQ(y.size(1), 2);
      }
      ASSERT_TRUE(y.isfinite().all().item<bool>());

      const auto file = folder.path() / "model.safetensors";
      save_model(file, model);
      Model again = load_model(file);
      again->eval();
      EXPECT_TRUE(run(again, operators, x).reshape(y.sizes()).equal(y));
      EXPECT_EQ(to_map(again->options()), to_map(model->options()));
    }
  }
}

TEST(Model, DoublePrecisionSurvivesTheFile) {
  const TemporaryFolder folder;
  Model model(small_model(BackboneKind::layers, ReadoutKind::pooled));
  model->to(torch::kFloat64);
  save_model(folder.path() / "m", model);
  EXPECT_EQ(load_model(folder.path() / "m")->parameters().front().scalar_type(), torch::kFloat64);
}

TEST(Model, WeightsOfAnotherModelAreRefusedWithBothValues) {
  const TemporaryFolder folder;
  Model small(small_model(BackboneKind::layers, ReadoutKind::none));
  save_model(folder.path() / "m", small);
  ModelOptions options = small_model(BackboneKind::layers, ReadoutKind::none);
  options.network.widths = {4, 6};
  Model other(options);
  expect_error(Fault::argument, {"network.widths", "[4, 5]", "[4, 6]"},
               [&] { load_into(folder.path() / "m", other); });
}

TEST(Model, SameSeedSameModel) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  Model a(small_model(BackboneKind::layers, ReadoutKind::pooled), RandomStream(5, "test"));
  Model b(small_model(BackboneKind::layers, ReadoutKind::pooled), RandomStream(5, "test"));
  Model c(small_model(BackboneKind::layers, ReadoutKind::pooled), RandomStream(6, "test"));
  EXPECT_TRUE(run(a, operators, x).equal(run(b, operators, x)));
  EXPECT_FALSE(run(a, operators, x).equal(run(c, operators, x)));
}

TEST(Model, TuplesBelongToTheTupleReadoutOnly) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  Model model(small_model(BackboneKind::layers, ReadoutKind::tuple));
  expect_error(Fault::argument, {"tuple", "needs tuples"}, [&] { model->forward(operators, x); });
}

TEST(Model, ABackboneWithoutAttentionSaysSoAndStillChecksItsSignals) {
  const ComplexOperators operators(example_complex("annulus").complex);
  Cochains x = random_signals(operators, 3);
  Model model(small_model(BackboneKind::mpsn, ReadoutKind::none));
  expect_error(Fault::argument, {"mpsn", "attention"},
               [&] { model->forward(operators, x, {.return_attention_weights = true}); });
  x[1][5][1] = NAN;
  expect_error(Fault::numeric, {"order 1", "row 5", "feature 1"},
               [&] { model->forward(operators, x, {.check_finite = true}); });
}

}  // namespace
}  // namespace gsan
