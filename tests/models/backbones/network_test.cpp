// A stack of layers behind input maps.

#include "gsan/models/backbones/network.h"

#include <sstream>

#include <gtest/gtest.h>

#include "gsan/models/registry.h"

#include "nn/layer_samples.h"
#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// Orders 0 … 2 with 4, 2 and 3 features, mapped to 5, two layers of 3 and 2 features with 2 heads.
NetworkOptions sample_network(const SimplicialLayerOptions& layer) {
  NetworkOptions options;
  options.in_channels = {4, 2, 3};
  options.embedding_channels = 5;
  options.widths = {3, 2};
  options.layer = layer;
  options.layer.order = 2;
  options.layer.heads = 2;
  for (int k = 0; k <= 2; ++k)
    if (!options.layer.is_active(k)) options.in_channels[k] = 0;
  return options;
}

Network make_network(const NetworkOptions& options) {
  Network network(options, RandomStream(5, "network"));
  network->to(torch::kFloat64);
  network->eval();
  return network;
}

Cochains network_signals(const SimplicialComplex& complex, const NetworkOptions& options,
                         const std::string& purpose = "signal") {
  Cochains x(options.in_channels.size());
  for (int k = 0; k < static_cast<int>(x.size()); ++k)
    if (options.in_channels[k] > 0)
      x[k] = random_signal(complex.count(k), options.in_channels[k], concat(purpose, k), torch::kFloat64);
  return x;
}

laws::CochainMap last_layer_of(Network network) {
  return [network](const ComplexOperators& operators, const Cochains& x) mutable {
    return network->forward(operators, x).layers.back();
  };
}

TEST(Network, NormsAndResidualsStandBetweenTheLayers) {
  const torch::NoGradGuard no_grad;
  NetworkOptions options = sample_network(layer_samples(2).front().options);
  options.widths = {3, 3, 2};
  options.norm = NormKind::rms;
  options.residual = true;
  Network network = make_network(options);
  const ComplexOperators operators(surface_sample());
  const Cochains x = network_signals(operators.complex(), options);
  const BackboneOutput output = network->forward(operators, x);
  const auto parameters = network->named_parameters();
  const auto& layers = network->layers();
  Cochains z(3);
  for (int k = 0; k < 3; ++k) z[k] = torch::linear(x[k], parameters[concat("input_", k, ".weight")]);
  for (std::size_t l = 0; l < 3; ++l) {
    const Cochains made = SimplicialLayer(layers[l])->forward(operators, z);
    const Tensor* skip = parameters.find(concat("skip_", l, ".weight"));
    EXPECT_EQ(skip != nullptr, l != 1) << l;  // widths 5 → 6 → 6 → 4
    for (int k = 0; k < 3; ++k) {
      Tensor y = made[k];
      if (l < 2) y = y * (y.square().mean(-1, true) + 1e-5).rsqrt();
      z[k] = y + (skip ? torch::linear(z[k], *skip) : z[k]);
      EXPECT_TRUE(torch::allclose(output.layers[l][k], z[k], 1e-12, 1e-12)) << l << " " << k;
    }
  }
}

TEST(Network, IsInputMapsAndLayersOneAfterTheOther) {
  const torch::NoGradGuard no_grad;
  for (const LayerSample& s : layer_samples(2)) {
    const NetworkOptions options = sample_network(s.options);
    Network network = make_network(options);
    const ComplexOperators operators(surface_sample());
    const Cochains x = network_signals(operators.complex(), options);
    const BackboneOutput output = network->forward(operators, x);
    ASSERT_EQ(output.layers.size(), 2u);

    const auto parameters = network->named_parameters();
    Cochains y;
    for (int k = 0; k <= 2; ++k) y.push_back(x[k].mm(parameters[concat("input_", k, ".weight")].t()));
    for (std::size_t l = 0; l < 2; ++l) {
      SimplicialLayer layer = network->layers()[l];
      y = layer->forward(operators, y);
      EXPECT_LE(largest_difference(output.layers[l], y), 1e-13) << s.name;
    }
    EXPECT_EQ(y[0].size(-1), s.options.head_mode == HeadMode::concat ? 4 : 2);
  }
}

TEST(Network, TheLastLayerMayAverageItsHeads) {
  const torch::NoGradGuard no_grad;
  NetworkOptions options = sample_network(sample_options(ShiftKind::attention, 2));
  options.layer.head_mode = HeadMode::concat;
  options.activate_last = false;
  const ComplexOperators operators(surface_sample());
  const Cochains x = network_signals(operators.complex(), options);
  const Cochains side_by_side = make_network(options)->forward(operators, x).layers.back();
  options.mean_last_heads = true;
  Network network = make_network(options);  // the same first values
  EXPECT_EQ(network->layers()[0]->options().head_mode, HeadMode::concat);
  const Cochains mean = network->forward(operators, x).layers.back();
  for (int k = 0; k <= 2; ++k) {
    ASSERT_EQ(mean[k].size(-1), 2);
    const Tensor heads = side_by_side[k].view({-1, 2, 2});
    EXPECT_LE((mean[k] - heads.mean(1)).abs().max().item<double>(), 1e-12);
  }
}

TEST(Network, WithoutInputMapsTheFirstLayerTakesTheSignals) {
  NetworkOptions options = sample_network(sample_options(ShiftKind::attention, 2));
  options.in_channels = {3, 0, 3};
  options.embedding_channels = 0;
  options.activate_last = false;
  EXPECT_EQ(options.layer_options(0).in_channels, 3);
  EXPECT_EQ(options.layer_options(1).in_channels, 6);
  EXPECT_EQ(options.layer_options(0).activation, Activation::tanh);
  EXPECT_EQ(options.layer_options(1).activation, Activation::identity);
  Network network = make_network(options);
  const ComplexOperators operators(surface_sample());
  const Cochains x = network_signals(operators.complex(), options);
  SimplicialLayer first = network->layers()[0];
  EXPECT_EQ(largest_difference(network->forward(operators, x).layers[0], first->forward(operators, x)), 0);
}

// Every preset as a network of two layers: shapes, batch = parts.
TEST(Network, OfEveryPresetBatchIsItsParts) {
  const torch::NoGradGuard no_grad;
  const std::vector<SimplicialComplex> parts = part_samples(2);
  for (const Preset& preset : all_presets()) {
    const NetworkOptions options = sample_network(preset.make({.order = 2}));
    Network network = make_network(options);
    std::vector<Cochains> x;
    for (std::size_t p = 0; p < parts.size(); ++p)
      x.push_back(network_signals(parts[p], options, concat("part", p, ".")));
    EXPECT_LE(laws::batch_defect(last_layer_of(network), parts, x), 1e-12) << preset.name;
  }
}

TEST(Network, KeepsOrientationEquivariance) {
  const torch::NoGradGuard no_grad;
  for (const LayerSample& s : signed_samples(2)) {
    const NetworkOptions options = sample_network(s.options);
    Network network = make_network(options);
    const SimplicialComplex complex = surface_sample();
    const MappedComplex mapped = relabel(complex, random_permutation(complex.count(0), 3));
    EXPECT_LE(laws::renaming_defect(last_layer_of(network), ComplexOperators(complex), mapped,
                                    network_signals(complex, options)),
              1e-11)
        << s.name;
  }
}

TEST(Network, LayersDrawTheirOwnMasksFromOneStream) {
  SimplicialLayerOptions layer = sample_options(ShiftKind::attention, 2);
  layer.dropout = layer.attention_dropout = 0.5;
  const NetworkOptions options = sample_network(layer);
  Network network = make_network(options);
  const ComplexOperators operators(surface_sample());
  const Cochains x = network_signals(operators.complex(), options);
  const Cochains undropped = network->forward(operators, x).layers.back();
  network->train();
  ForwardContext context;
  context.dropout = RandomStream(1, "step");
  const Cochains first = network->forward(operators, x, context).layers.back();
  EXPECT_EQ(largest_difference(first, network->forward(operators, x, context).layers.back()), 0);
  EXPECT_GT(largest_difference(first, undropped), 0);
  context.dropout = RandomStream(2, "step");
  EXPECT_GT(largest_difference(first, network->forward(operators, x, context).layers.back()), 0);
  torch::manual_seed(3);
  const Cochains seeded = network->forward(operators, x).layers.back();
  torch::manual_seed(3);
  EXPECT_EQ(largest_difference(seeded, network->forward(operators, x).layers.back()), 0);
}

TEST(Network, ReturnsTheAttentionOfEachLayer) {
  const NetworkOptions options = sample_network(sample_options(ShiftKind::attention, 2));
  Network network = make_network(options);
  const ComplexOperators operators(surface_sample());
  ForwardContext context;
  context.return_attention_weights = true;
  const BackboneOutput output =
      network->forward(operators, network_signals(operators.complex(), options), context);
  ASSERT_EQ(output.attention.size(), 2u);
  for (const auto& layer : output.attention) EXPECT_EQ(layer.size(), 8u);  // 4 sides, 2 uses
  EXPECT_TRUE(network->forward(operators, network_signals(operators.complex(), options)).attention.empty());
}

TEST(Network, FirstValuesAreThoseOfTheStream) {
  const NetworkOptions options = sample_network(sample_options(ShiftKind::weighted, 2));
  const auto values = [](Network& network) {
    std::vector<Tensor> copies;
    for (const Tensor& parameter : network->parameters()) copies.push_back(parameter.detach().clone());
    return copies;
  };
  Network network(options, RandomStream(1, "first"));
  const auto first = values(network);
  network->reset_parameters(RandomStream(2, "other"));
  const auto other = values(network);
  network->reset_parameters(RandomStream(1, "first"));
  const auto again = values(network);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(torch::equal(first[i], again[i]));
  EXPECT_FALSE(torch::equal(first[0], other[0]));
}

TEST(NetworkOptions, ReadBackPrintAndNameEveryFault) {
  const NetworkOptions options = sample_network(sample_options(ShiftKind::attention, 2));
  EXPECT_EQ(to_map(from_map<NetworkOptions>(to_map(options), "network")), to_map(options));
  std::ostringstream text;
  Network(options)->pretty_print(text);
  EXPECT_EQ(text.str(), "Network(" + describe(options) + ")");
  EXPECT_NE(text.str().find("layer.heads=2"), std::string::npos) << text.str();

  NetworkOptions wrong = options;
  wrong.in_channels = {2, -1, 3, 4};
  wrong.embedding_channels = -2;
  wrong.widths = {3, 0};
  wrong.layer.orders = {0, 1};
  expect_error(Fault::argument,
               {"in_channels must hold", "[2, -1, 3, 4]", "layer.order = 2", "embedding_channels", "got -2",
                "widths", "[3, 0]", "order 2", "[0, 1]"},
               [&] { Network network(wrong); });
  wrong = options;
  wrong.embedding_channels = 0;
  expect_error(Fault::argument, {"different widths", "[4, 2, 3]"}, [&] { Network network(wrong); });
  wrong.in_channels = {0, 0, 0};
  expect_error(Fault::argument, {"at least one order", "[0, 0, 0]"}, [&] { Network network(wrong); });
  wrong = options;
  wrong.layer.dropout = 2;
  expect_error(Fault::argument, {"dropout", "got 2"}, [&] { Network network(wrong); });
}

TEST(NetworkOptions, RefuseAHugeOrderBeforeAnythingIsMadeForIt) {
  NetworkOptions options;
  options.layer.order = 2147483647;
  expect_error(Fault::argument, {"layer.order", "2147483647"}, [&] { Network network(options); });
}

TEST(NetworkOptions, TakeManyLayersWithoutDepth) {
  NetworkOptions options;
  options.widths.assign(200000, 1);
  options.layer.in_channels = 0;  // set by the network
  EXPECT_EQ(options.layer_options(199999).in_channels, 1);
}

TEST(Network, NamesSignalsThatDoNotFit) {
  NetworkOptions options = sample_network(sample_options(ShiftKind::attention, 2));
  options.in_channels[1] = 0;
  Network network = make_network(options);
  const ComplexOperators operators(surface_sample());
  Cochains x = network_signals(operators.complex(), options);
  x[1] = torch::zeros({operators.count(1), 2}, torch::kFloat64);
  expect_error(Fault::argument, {"order 1", "[4, 0, 3]"}, [&] { network->forward(operators, x); });
  x[1] = Tensor();
  x[2] = torch::zeros({operators.count(2), 7}, torch::kFloat64);
  expect_error(Fault::argument, {"order 2", "3", "7"}, [&] { network->forward(operators, x); });
  x[2] = torch::zeros({operators.count(2)}, torch::kFloat64);
  expect_error(Fault::argument, {"order 2", "[..., "}, [&] { network->forward(operators, x); });
  x[2] = torch::zeros({operators.count(2), 3}, torch::kFloat32);
  expect_error(Fault::argument, {"order 2", "Float", "Double"}, [&] { network->forward(operators, x); });
  x[2] = torch::zeros({operators.count(2), 3},
                      torch::TensorOptions().dtype(torch::kFloat64).device(torch::kMeta));
  expect_error(Fault::argument, {"order 2", "meta", "cpu"}, [&] { network->forward(operators, x); });
  x[2] = torch::full({operators.count(2), 3}, NAN, torch::kFloat64);
  expect_error(Fault::numeric, {"order 2", "row 0"},
               [&] { network->forward(operators, x, {.check_finite = true}); });
  x[2] = Tensor();
  x.resize(4);
  expect_error(Fault::argument, {"0 ... 2", "got 4"}, [&] { network->forward(operators, x); });
}

}  // namespace
}  // namespace gsan
