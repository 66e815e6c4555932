#include "gsan/nn/faces_readout.h"

#include <gtest/gtest.h>

#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/builder.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

// Two triangles that share an edge.
SimplicialComplex square() {
  ComplexBuilder builder;
  builder.add({0, 1, 2});
  builder.add({1, 2, 3});
  return builder.build();
}

FacesReadoutOptions sample_options() {
  FacesReadoutOptions options;
  options.in_channels = {2, 0, 0};
  options.width = 3;
  options.hidden = {4};
  options.activation = Activation::tanh;
  return options;
}

std::vector<Cochains> sample_layers(const SimplicialComplex& complex) {
  const auto signal = [&](int k, int width, const char* name) {
    return random_signal(complex.count(k), width, name, torch::kFloat64);
  };
  return {{signal(0, 2, "input"), Tensor(), Tensor()},
          {signal(0, 3, "a"), signal(1, 3, "b"), signal(2, 3, "c")}};
}

// (0 1 2): its vertices, then (0 1), (0 2), (1 2).
Tensor sample_tuples() { return torch::tensor({{0, 1, 2, 0, 1, 2}, {1, 2, 3, 2, 3, 4}}, torch::kInt64); }

FacesReadoutImpl sample_readout(const FacesReadoutOptions& options) {
  FacesReadoutImpl readout(options, RandomStream(1, "readout"));
  readout.to(torch::kFloat64);
  return readout;
}

TEST(FacesReadout, ReadsEveryOrderAsASet) {
  const SimplicialComplex complex = square();
  const ComplexOperators operators(complex);
  const auto layers = sample_layers(complex);
  FacesReadoutImpl readout = sample_readout(sample_options());
  const Tensor found = readout.read(operators, layers, sample_tuples());
  ASSERT_EQ(found.sizes(), (std::vector<std::int64_t>{2, 1}));
  const Tensor turned = torch::tensor({{2, 0, 1, 1, 2, 0}, {3, 1, 2, 4, 3, 2}}, torch::kInt64);
  EXPECT_TRUE(torch::allclose(readout.read(operators, layers, turned), found, 0, 1e-12));
  const Tensor other = torch::tensor({{0, 1, 2, 0, 1, 3}, {1, 2, 3, 2, 3, 4}}, torch::kInt64);
  EXPECT_FALSE(torch::allclose(readout.read(operators, layers, other)[0], found[0], 0, 1e-6));
}

TEST(FacesReadout, IsTheNetworkOfMeansAndExtremes) {
  const SimplicialComplex complex = square();
  const auto layers = sample_layers(complex);
  FacesReadoutImpl readout = sample_readout(sample_options());
  const auto p = readout.named_parameters();
  std::vector<double> features;
  const auto add = [&](const Tensor& x, std::vector<std::int64_t> rows) {
    for (const char* pool : {"mean", "min", "max"})
      for (std::int64_t c = 0; c < x.size(1); ++c) {
        double value = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double one = x[rows[i]][c].item<double>();
          value = pool[1] == 'e'   ? value + one / static_cast<double>(rows.size())
                  : i == 0         ? one
                  : pool[1] == 'i' ? std::min(value, one)
                                   : std::max(value, one);
        }
        features.push_back(value);
      }
  };
  add(torch::cat({layers[0][0], layers[1][0]}, 1), {0, 1, 2});
  add(layers[1][1], {0, 1, 2});
  Tensor x = torch::tensor(features, torch::kFloat64);
  ASSERT_EQ(x.numel(), readout.options().feature_count());
  std::vector<Tensor> weights = readout.parameters();  // weight, bias, weight, bias
  ASSERT_EQ(weights.size(), 4u);
  const auto linear = [&](std::size_t i, const Tensor& y) {
    return (weights[i].size(0) == y.size(0) ? torch::matmul(y, weights[i]) : torch::matmul(weights[i], y)) +
           weights[i + 1];
  };
  const Tensor expected = linear(2, linear(0, x).tanh());
  const Tensor found = readout.read(ComplexOperators(complex), layers, sample_tuples())[0];
  EXPECT_TRUE(torch::allclose(found, expected, 0, 1e-12));
}

TEST(FacesReadout, WithoutTheInputOnlyTheLastLayerCounts) {
  const SimplicialComplex complex = square();
  FacesReadoutOptions options = sample_options();
  options.inputs = false;
  options.absolute = true;
  FacesReadoutImpl readout = sample_readout(options);
  EXPECT_FALSE(readout.reads_input());
  auto layers = sample_layers(complex);
  const ComplexOperators operators(complex);
  const Tensor found = readout.read(operators, {layers[1]}, sample_tuples());
  for (Tensor& signal : layers[1]) signal = -signal;
  EXPECT_TRUE(readout.read(operators, {layers[1]}, sample_tuples()).equal(found));
}

TEST(FacesReadout, RefusesTuplesOfAnotherOrder) {
  const SimplicialComplex complex = square();
  FacesReadoutImpl readout = sample_readout(sample_options());
  expect_error(Fault::argument, {"FacesReadout", "[M, 6]", "order 2"}, [&] {
    readout.read(ComplexOperators(complex), sample_layers(complex), torch::zeros({1, 3}, torch::kInt64));
  });
  FacesReadoutOptions options = sample_options();
  options.orders = {0, 2};
  options.width = 0;
  expect_error(Fault::argument, {"orders must lie in 0 ... 1, got 2", "width"},
               [&] { FacesReadoutImpl(options, RandomStream(0, "readout")); });
}

}  // namespace
}  // namespace gsan
