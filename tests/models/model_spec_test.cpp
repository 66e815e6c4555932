#include "gsan/models/model_spec.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gsan/models/backbones/layers.h"
#include "gsan/models/backbones/mlp_backbone.h"
#include "gsan/models/model.h"
#include "gsan/models/model_kinds.h"
#include "gsan/models/readout_kinds.h"
#include "gsan/topology/examples.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

ModelSpec small(const std::string& name, const std::string& readout, int signal_order = 1) {
  ModelSpec spec = model_spec(name, readout, {.signal_order = signal_order});
  spec.backbone.set({{"hidden_channels", "4"}, {"n_layers", "2"}}, name);
  return spec;
}

SimplicialLayerOptions layer_of(const std::string& name, const ModelArguments& arguments) {
  return model_spec(name, "simplex", arguments).backbone.as<LayersOptions>().layer;
}

ConfigSchema schema_of(const ModelSpec& spec) {
  ConfigSchema schema;
  add_model_keys(schema, spec);
  return schema;
}

std::string yaml_of(const ModelSpec& spec) { return Config(schema_of(spec)).to_yaml(); }

bool is_on_vertices(const std::string& name) {
  return find_model(name).backbone->orders(model_spec(name, "none").backbone, 2) == std::vector<int>{0};
}

TEST(ModelSpec, EveryModelIsBuiltAndRuns) {
  const ComplexOperators operators(example_complex("torus").complex);
  Cochains x;
  for (int k = 0; k <= 2; ++k) x.push_back(torch::ones({operators.count(k), 1}));
  ModelShape shape;
  shape.out_channels = 2;
  ASSERT_GT(model_names().size(), 25U);
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    const ModelSpec spec = small(name, "pooled", is_on_vertices(name) ? 0 : 1);
    EXPECT_EQ(spec.faults(), std::vector<std::string>{});
    Model model(spec, shape, RandomStream(1, "weights"));
    model->eval();
    const Tensor y = model->forward(operators, x).values;
    EXPECT_EQ(y.size(-1), 2);
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    const int wanted = name == "facets" ? 1 : 4;  // sums over facets are as wide as their inputs
    for (const int width : model->backbone().widths()) EXPECT_EQ(width, wanted);
    const std::vector<int> orders = find_model(name).backbone->orders(spec.backbone, 2);
    EXPECT_EQ(model->backbone().orders(), orders);
    // What it works on is what it reads.
    for (int k = 0; k <= 2; ++k) {
      const bool is_read = k < static_cast<int>(model->backbone().in_channels().size()) &&
                           model->backbone().in_channels()[static_cast<std::size_t>(k)] > 0;
      EXPECT_EQ(is_read, std::find(orders.begin(), orders.end(), k) != orders.end()) << "order " << k;
    }
  }
}

TEST(ModelSpec, ComeBackFromTheirText) {
  for (const std::string readout : {"pooled", "tuple"}) {
    for (const std::string& name : model_names()) {
      SCOPED_TRACE(name + " " + readout);
      ModelSpec changed = small(name, readout);
      const OptionMap known = changed.backbone.map();
      if (known.contains("widths")) changed.backbone.set({{"heads", "2"}, {"widths", "[6, 4]"}}, name);
      if (known.contains("batch_norm")) changed.backbone.set({{"batch_norm", "true"}}, name);
      changed.readout_options.set({{"batch_norm", "true"}}, readout);
      if (readout == "pooled") changed.readout_options.set({{"hidden_channels", "9"}}, readout);
      const ModelSpec start = model_spec(name, readout, {.signal_order = 1});
      EXPECT_NE(yaml_of(start), yaml_of(changed));
      const Config read = parse_config(schema_of(start), yaml_of(changed), "config.yaml");
      EXPECT_EQ(yaml_of(take_model(read, start)), yaml_of(changed));
    }
  }
}

TEST(ModelSpec, ComeBackFromTheOptionsOfAFile) {
  ModelShape shape;
  shape.in_channels = {2, 0, 5};
  shape.order = 2;
  for (const std::string& name : model_names()) {
    for (const std::string& readout : readout_names()) {
      SCOPED_TRACE(name + " " + readout);
      const OptionMap map = to_map(small(name, readout), shape);
      const DescribedModel read = described_model(map, "m.safetensors");
      EXPECT_EQ(to_map(read.spec, read.shape), map);
    }
  }
  OptionMap map = to_map(small("gsan", "pooled"), shape);
  map.erase("readout");
  expect_error(Fault::format, {"m.safetensors", "'readout' is missing"},
               [&] { described_model(map, "m.safetensors"); });
}

TEST(ModelSpec, WidthsCountAllHeadsTogether) {
  ModelSpec spec = small("gsan", "pooled");
  auto& options = spec.backbone.as<LayersOptions>();
  const auto widths_per_head = [&] { return network_options(options, {}, false).widths; };
  options.layer.heads = 2;
  options.widths = {8, 6};
  EXPECT_EQ(widths_per_head(), (std::vector<int>{4, 3}));
  options.layer.head_mode = HeadMode::mean;
  EXPECT_EQ(widths_per_head(), (std::vector<int>{8, 6}));
  options.layer.head_mode = HeadMode::concat;
  options.layer.heads = 4;
  ASSERT_EQ(spec.faults().size(), 1U);
  EXPECT_NE(spec.faults()[0].find("multiple of heads = 4, got 6"), std::string::npos);
}

TEST(ModelSpec, LengthAndSignalOrderShapeTheDefaults) {
  EXPECT_EQ(layer_of("gsan", {.length = 6, .signal_order = 2}).lower.own, 3);
  EXPECT_TRUE(layer_of("gsan", {.signal_order = 2}).orders.empty());
  EXPECT_EQ(layer_of("san", {.length = 3, .signal_order = 2}).orders, std::vector<int>{2});
  EXPECT_EQ(layer_of("san", {.length = 3}).orders, std::vector<int>{1});
  expect_error(Fault::argument, {"one power"}, [] { layer_of("gat", {.length = 3, .signal_order = 0}); });
}

TEST(ModelSpec, KeysFollowTheModelAndTheReadout) {
  const ConfigSchema preset = schema_of(small("gsan", "pooled"));
  EXPECT_TRUE(preset.keys().contains("model.mechanism"));
  EXPECT_TRUE(preset.keys().contains("model.lower.own"));
  EXPECT_TRUE(preset.keys().contains("model.readout.pooling"));
  for (const std::string of_the_task :
       {"model.in_channels", "model.out_channels", "model.order", "model.readout.widths"}) {
    EXPECT_FALSE(preset.keys().contains(of_the_task)) << of_the_task;
    EXPECT_NE(preset.unknown(of_the_task).find("the task determines it"), std::string::npos) << of_the_task;
  }
  const ConfigSchema gin = schema_of(small("gin", "simplex"));
  EXPECT_TRUE(gin.keys().contains("model.train_epsilon"));
  EXPECT_TRUE(gin.keys().contains("model.readout.hidden"));
  EXPECT_FALSE(gin.keys().contains("model.mechanism"));
  for (const ConfigSchema& schema : {preset, gin})
    for (const auto& [name, key] : schema.keys()) EXPECT_FALSE(key.help.empty()) << name << " has no help";
}

TEST(ModelSpec, UnknownNamesAreErrorsWithTheKnownOnes) {
  expect_error(Fault::argument, {"'gsam'", "did you mean 'gsan'"}, [] { model_spec("gsam", "pooled"); });
  expect_error(Fault::argument, {"pooled", "simplex", "tuple", "flattened", "got 'pool'"},
               [] { model_spec("gsan", "pool"); });
  EXPECT_EQ(model_spec("gsan_joint", "pooled").name, "gsan-joint");
}

TEST(ModelSpec, OptionsOfAnotherBackboneAreNotTaken) {
  ModelSpec spec = model_spec("mlp", "pooled");
  EXPECT_EQ(spec.backbone.as<MlpBackboneOptions>().hidden_channels, 32);
  EXPECT_THROW(spec.backbone.as<LayersOptions>(), Error);
}

}  // namespace
}  // namespace gsan
