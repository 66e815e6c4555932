#include "gsan/models/model.h"

#include <gtest/gtest.h>

#include "gsan/models/backbones/layers.h"
#include "gsan/models/backbones/mlp_backbone.h"
#include "gsan/models/backbones/mpsn.h"
#include "gsan/models/model_kinds.h"
#include "gsan/models/readout_kinds.h"
#include "gsan/nn/pooled_readout.h"
#include "gsan/nn/safetensors.h"
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

// Of each family of backbones one.
const std::vector<std::string> backbones{"gsan", "mpsn", "mlp"};

ModelSpec small_model(const std::string& name, const std::string& readout) {
  ModelSpec spec = model_spec(name, readout);
  if (name == "gsan") {
    auto& layers = spec.backbone.as<LayersOptions>();
    layers.layer.heads = 2;
    layers.widths = {8, 10};
  } else if (name == "mpsn") {
    spec.backbone.as<MpsnOptions>().hidden_channels = 4;
  } else {
    spec.backbone.as<MlpBackboneOptions>().hidden_channels = 4;
  }
  return spec;
}

// Three features everywhere; a readout gives two numbers, one on simplices reads the edges.
ModelShape small_shape(const std::string& readout) {
  ModelShape shape;
  shape.in_channels = {3, 3, 3};
  if (readout != "none") shape.out_channels = 2;
  shape.order = 1;
  if (readout == "faces") shape.tuple_size = 6;
  return shape;
}

Model made(const std::string& name, const std::string& readout, std::uint64_t seed = 3) {
  return Model(small_model(name, readout), small_shape(readout), RandomStream(seed, "test"));
}

Tensor run(Model& model, const ComplexOperators& operators, const Cochains& x) {
  const Tensor tuples = torch::tensor({{0, 1, 2, 0, 1, 2}, {3, 4, 5, 3, 4, 5}}, torch::kInt64)
                            .narrow(1, 0, model->shape().tuple_size);
  const bool takes_tuples = find_readout(model->spec().readout).takes_tuples;
  const ModelOutput output = model->forward(operators, x, {}, takes_tuples ? tuples : Tensor());
  return output.values.defined() ? output.values : output.backbone.layers.back()[1];
}

TEST(Model, StandardisesInputsWithNumbersThatItsFileKeeps) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  Cochains large;
  for (const Tensor& signal : x) large.push_back(1000 * signal + 7);
  const TemporaryFolder folder;
  for (const std::string& name : backbones) {
    ModelSpec spec = small_model(name, "pooled");
    const Tensor plain = run(*std::make_unique<Model>(made(name, "pooled")), operators, x);
    spec.standardize = Standardize::standard;
    Model model(spec, small_shape("pooled"), RandomStream(3, "test"));
    EXPECT_TRUE(torch::equal(run(model, operators, x), plain)) << name << " before it is fitted";
    model->fit_inputs([&](const auto& add) { add(large); });
    const Tensor y = run(model, operators, large);
    Cochains standard;
    for (const Tensor& signal : x) standard.push_back((signal - signal.mean(0)) / signal.std(0, false));
    EXPECT_TRUE(torch::allclose(y, run(*std::make_unique<Model>(made(name, "pooled")), operators, standard),
                                1e-3, 1e-3))
        << name;
    save_model(folder / "model.safetensors", model);
    Model back = load_model(folder / "model.safetensors");
    EXPECT_EQ(back->spec().standardize, Standardize::standard);
    EXPECT_TRUE(torch::equal(run(back, operators, large), y)) << name;
  }
}

TEST(Model, EveryBackboneWorksWithEveryReadoutAndComesBackFromItsFile) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  const TemporaryFolder folder;
  ASSERT_GE(readout_names().size(), 5u);
  for (const std::string& name : backbones) {
    for (const std::string& readout : readout_names()) {
      SCOPED_TRACE(concat(name, " with ", readout));
      ModelShape shape = small_shape(readout);
      shape.simplices = static_cast<int>(operators.count(1));
      Model model(small_model(name, readout), shape, RandomStream(3, "test"));
      model->eval();
      Tensor y = run(model, operators, x);
      if (readout == "flattened") y = y.unsqueeze(0);
      const std::int64_t rows = readout == "pooled" || readout == "flattened" ? 1
                                : find_readout(readout).takes_tuples          ? 2
                                                                              : operators.count(1);
      EXPECT_EQ(y.size(0), rows);
      if (readout != "none") {
        EXPECT_EQ(y.size(1), 2);
      }
      ASSERT_TRUE(y.isfinite().all().item<bool>());

      const auto file = folder.path() / "model.safetensors";
      save_model(file, model);
      Model again = load_model(file);
      again->eval();
      EXPECT_TRUE(run(again, operators, x).reshape(y.sizes()).equal(y));
      EXPECT_EQ(again->description(), model->description());
    }
  }
}

TEST(Model, AFileHoldsTheSpecAndTheShape) {
  const TemporaryFolder folder;
  save_model(folder.path() / "m", made("gsan", "pooled"));
  const OptionMap metadata = read_safetensors(folder.path() / "m").metadata;
  EXPECT_EQ(metadata.at("gsan.format"), "2");
  EXPECT_EQ(metadata.at("option.model"), "gsan");
  EXPECT_EQ(metadata.at("option.readout"), "pooled");
  EXPECT_EQ(metadata.at("option.backbone.widths"), "[8, 10]");
  EXPECT_EQ(metadata.at("option.readout_options.pooling"), "sum");
  EXPECT_EQ(metadata.at("option.shape.in_channels"), "[3, 3, 3]");
}

TEST(Model, DoublePrecisionSurvivesTheFile) {
  const TemporaryFolder folder;
  Model model = made("gsan", "pooled");
  model->to(torch::kFloat64);
  save_model(folder.path() / "m", model);
  EXPECT_EQ(load_model(folder.path() / "m")->parameters().front().scalar_type(), torch::kFloat64);
}

TEST(Model, WeightsOfAnotherModelAreRefusedWithBothValues) {
  const TemporaryFolder folder;
  save_model(folder.path() / "m", made("gsan", "none"));
  ModelSpec spec = small_model("gsan", "none");
  spec.backbone.as<LayersOptions>().widths = {8, 12};
  Model other(spec, small_shape("none"));
  expect_error(Fault::argument, {"backbone.widths", "[8, 10]", "[8, 12]"},
               [&] { load_into(folder.path() / "m", other); });
  ModelShape wide = small_shape("none");
  wide.in_channels = {4, 4, 4};
  Model of_other_data(small_model("gsan", "none"), wide);
  expect_error(Fault::argument, {"shape.in_channels", "[3, 3, 3]", "[4, 4, 4]"},
               [&] { load_into(folder.path() / "m", of_other_data); });
}

TEST(Model, SameSeedSameModel) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  Model a = made("gsan", "pooled", 5), b = made("gsan", "pooled", 5), c = made("gsan", "pooled", 6);
  EXPECT_TRUE(run(a, operators, x).equal(run(b, operators, x)));
  EXPECT_FALSE(run(a, operators, x).equal(run(c, operators, x)));
}

TEST(Model, TuplesBelongToTheTupleReadoutOnly) {
  const ComplexOperators operators(example_complex("annulus").complex);
  const Cochains x = random_signals(operators, 3);
  Model model = made("gsan", "tuple");
  expect_error(Fault::argument, {"tuple", "needs tuples"}, [&] { model->forward(operators, x); });
  Model other = made("gsan", "simplex");
  expect_error(Fault::argument, {"simplex", "takes no tuples"}, [&] {
    other->forward(operators, x, {}, torch::zeros({1, 3}, torch::kInt64));
  });
}

TEST(Model, ABackboneWithoutAttentionSaysSoAndStillChecksItsSignals) {
  const ComplexOperators operators(example_complex("annulus").complex);
  Cochains x = random_signals(operators, 3);
  Model model = made("mpsn", "none");
  expect_error(Fault::argument, {"mpsn", "attention"},
               [&] { model->forward(operators, x, {.return_attention_weights = true}); });
  x[1][5][1] = NAN;
  expect_error(Fault::numeric, {"order 1", "row 5", "feature 1"},
               [&] { model->forward(operators, x, {.check_finite = true}); });
}

TEST(Model, TheOnlyOrderOfAModelIsReadUnlessTheShapeSaysAnother) {
  for (const std::string readout : {"simplex", "tuple", "flattened"}) {
    SCOPED_TRACE(readout);
    ModelShape shape = small_shape(readout);
    shape.simplices = static_cast<int>(example_complex("annulus").complex.count(1));
    shape.order = -1;
    const ModelSpec on_edges = model_spec("san", readout, {.signal_order = 1});
    Model by_default(on_edges, shape, RandomStream(3, "test"));
    shape.order = 1;
    Model by_name(on_edges, shape, RandomStream(3, "test"));
    const ComplexOperators operators(example_complex("annulus").complex);
    const Cochains x = random_signals(operators, 3);
    EXPECT_TRUE(run(by_default, operators, x).equal(run(by_name, operators, x)));

    shape.order = 2;
    expect_error(Fault::argument, {"readout " + readout, "reads order 2", "works on the orders [1]"},
                 [&] { Model(on_edges, shape); });
    shape.order = -1;
    expect_error(Fault::argument, {"readout " + readout, "works on the orders [0, 1, 2]", "say which one"},
                 [&] { Model(small_model("gsan", readout), shape); });
  }
}

TEST(Model, APooledReadoutOfAnOrderThatTheModelLacksIsRefused) {
  ModelSpec spec = model_spec("gin", "pooled");
  Model model(spec, small_shape("pooled"));  // of its only order
  EXPECT_EQ(model->backbone().orders(), std::vector<int>{0});
  spec.readout_options.as<PooledReadoutOptions>().orders = {1};
  expect_error(Fault::argument, {"readout pooled", "order 1", "the orders [0]"},
               [&] { Model(spec, small_shape("pooled")); });
}

TEST(Model, WithoutAReadoutTheLastLayerIsAsWideAsTheAnswer) {
  ModelShape shape = small_shape("none");
  shape.out_channels = 1;
  ModelSpec spec = small_model("gsan", "none");
  expect_error(Fault::argument, {"without a readout", "width 1", "heads = 2"}, [&] { Model(spec, shape); });
  spec.backbone.as<LayersOptions>().mean_last_heads = true;
  EXPECT_EQ(Model(spec, shape)->backbone().widths(), (std::vector<int>{8, 1}));
  spec.backbone.as<LayersOptions>().mean_last_heads = false;
  spec.backbone.as<LayersOptions>().layer.heads = 1;
  EXPECT_EQ(Model(spec, shape)->backbone().widths(), (std::vector<int>{8, 1}));
  shape.out_channels = 0;  // its own
  EXPECT_EQ(Model(spec, shape)->backbone().widths(), (std::vector<int>{8, 10}));
}

}  // namespace
}  // namespace gsan
