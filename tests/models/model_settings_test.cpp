#include "gsan/models/model_settings.h"

#include <gtest/gtest.h>

#include "gsan/topology/examples.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

ModelSettings small(const std::string& name, ReadoutKind readout, int signal_order = 1) {
  ModelSettings settings = standard_model(name, 0, signal_order, readout);
  settings.hidden_channels = 4;
  settings.n_layers = 2;
  return settings;
}

ConfigSchema schema_of(const ModelSettings& settings) {
  ConfigSchema schema;
  add_model_keys(schema, settings);
  return schema;
}

std::string yaml_of(const ModelSettings& settings) { return Config(schema_of(settings)).to_yaml(); }

// What a task does: an input of one feature on every order that the model works on.
ModelOptions completed(ModelOptions options) {
  SimplicialLayerOptions& layer = options.network.layer;
  layer.order = 2;
  options.network.in_channels.assign(3, 0);
  for (const int k : layer.active_orders()) options.network.in_channels[k] = 1;
  options.pooled.orders = {1};
  if (options.backbone == BackboneKind::mpsn && options.mpsn.in_channels.size() == 1)
    options.pooled.orders = {0};
  return options;
}

TEST(ModelSettings, EveryModelIsBuiltAndRuns) {
  const ComplexOperators operators(example_complex("torus").complex);
  Cochains x;
  for (int k = 0; k <= 2; ++k) x.push_back(torch::ones({operators.count(k), 1}));
  ASSERT_GT(model_names().size(), 25U);
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    const ModelSettings settings = small(name, ReadoutKind::pooled);
    EXPECT_EQ(settings.faults(), std::vector<std::string>{});
    Model model(completed(settings.options()), RandomStream(1, "weights"));
    model->eval();
    Cochains signals = x;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (settings.backbone == BackboneKind::layers && model->options().network.in_channels[k] == 0)
        signals[k] = Tensor();
    if (name == "gin") signals.resize(1);
    const Tensor y = model->forward(operators, signals).values;
    EXPECT_EQ(y.size(-1), 2);
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    for (const int width : model->options().widths()) EXPECT_EQ(width, 4);
  }
}

TEST(ModelSettings, ComeBackFromTheirText) {
  for (const ReadoutKind readout : {ReadoutKind::pooled, ReadoutKind::tuple}) {
    for (const std::string& name : model_names()) {
      SCOPED_TRACE(name);
      ModelSettings changed = small(name, readout);
      changed.layer.heads = 2;
      changed.widths = {6, 4};
      changed.mpsn.batch_norm = changed.mlp.batch_norm = changed.head.batch_norm = true;
      changed.pooled.hidden_channels = 9;
      const ModelSettings start = standard_model(name, 0, 1, readout);
      const Config read = parse_config(schema_of(start), yaml_of(changed), "config.yaml");
      EXPECT_EQ(yaml_of(take_model(read, start)), yaml_of(changed));
    }
  }
}

TEST(ModelSettings, WidthsCountAllHeadsTogether) {
  ModelSettings settings = small("gsan", ReadoutKind::pooled);
  settings.layer.heads = 2;
  settings.widths = {8, 6};
  EXPECT_EQ(settings.options().network.widths, (std::vector<int>{4, 3}));
  settings.layer.head_mode = HeadMode::mean;
  EXPECT_EQ(settings.options().network.widths, (std::vector<int>{8, 6}));
  settings.layer.head_mode = HeadMode::concat;
  settings.layer.heads = 4;
  ASSERT_EQ(settings.faults().size(), 1U);
  EXPECT_NE(settings.faults()[0].find("multiple of heads = 4, got 6"), std::string::npos);
}

TEST(ModelSettings, LengthAndSignalOrderShapeTheDefaults) {
  EXPECT_EQ(standard_model("gsan", 6, 2, ReadoutKind::simplex).layer.lower.own, 3);
  EXPECT_TRUE(standard_model("gsan", 0, 2, ReadoutKind::simplex).layer.orders.empty());
  EXPECT_EQ(standard_model("san", 3, 2, ReadoutKind::simplex).layer.orders, std::vector<int>{2});
  EXPECT_EQ(standard_model("san", 3, -1, ReadoutKind::simplex).layer.orders, std::vector<int>{1});
  expect_error(Fault::argument, {"one power"}, [] { standard_model("gat", 3, 0, ReadoutKind::simplex); });
}

TEST(ModelSettings, KeysFollowTheModelAndTheReadout) {
  const ConfigSchema preset = schema_of(small("gsan", ReadoutKind::pooled));
  EXPECT_TRUE(preset.keys().contains("model.mechanism"));
  EXPECT_TRUE(preset.keys().contains("model.lower.own"));
  EXPECT_TRUE(preset.keys().contains("model.readout.pooling"));
  for (const char* of_the_task :
       {"model.in_channels", "model.out_channels", "model.order", "model.readout.widths"})
    EXPECT_FALSE(preset.keys().contains(of_the_task)) << of_the_task;
  const ConfigSchema gin = schema_of(small("gin", ReadoutKind::simplex));
  EXPECT_TRUE(gin.keys().contains("model.train_epsilon"));
  EXPECT_TRUE(gin.keys().contains("model.readout.hidden"));
  EXPECT_FALSE(gin.keys().contains("model.mechanism"));
  for (const ConfigSchema& schema : {preset, gin})
    for (const auto& [name, key] : schema.keys()) EXPECT_FALSE(key.help.empty()) << name << " has no help";
}

}  // namespace
}  // namespace gsan
