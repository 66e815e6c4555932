#include "gsan/nn/flattened_readout.h"

#include <gtest/gtest.h>

#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/examples.h"

#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

struct Sample {
  ComplexOperators operators{example_complex("disc").complex};
  FlattenedReadoutOptions options;
  FlattenedReadout readout{nullptr};

  Sample() {
    options.simplices = static_cast<int>(operators.count(1));
    options.width = 2;
    options.out_channels = 3;
    readout = FlattenedReadout(options, RandomStream(1, "readout"));
    readout->to(torch::kFloat64);
  }
  Tensor signal() const { return random_signal(operators.count(1), 2, "x", torch::kFloat64); }
};

TEST(FlattenedReadout, IsALinearMapOfTheWholeSignal) {
  Sample sample;
  const Tensor x = sample.signal();
  const auto p = sample.readout->named_parameters();
  const std::vector<Cochains> layers{{Tensor(), x.cos()}, {Tensor(), x}};  // the last is read
  const Tensor y = sample.readout->forward(sample.operators, layers);
  ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{3}));
  for (std::int64_t o = 0; o < 3; ++o) {
    double expected = p["output.bias"][o].item<double>();
    for (std::int64_t i = 0; i < x.size(0); ++i)
      for (std::int64_t c = 0; c < 2; ++c)
        expected += p["output.weight"][o][2 * i + c].item<double>() * x[i][c].item<double>();
    EXPECT_NEAR(y[o].item<double>(), expected, 1e-12);
  }
  const Tensor many = torch::stack({x, x.sin()});
  EXPECT_TRUE(sample.readout->forward(sample.operators, {{Tensor(), many}})[0].allclose(y));
}

TEST(FlattenedReadout, HasTheGradientOfItsDefinition) {
  Sample sample;
  expect_gradients(
      [&](const Tensors& x) {
        return sample.readout->forward(sample.operators, {{Tensor(), x[0]}});
      },
      {sample.signal()});
}

TEST(FlattenedReadout, BelongsToComplexesOfOneSize) {
  Sample sample;
  const ComplexOperators other(example_complex("annulus").complex);
  const Tensor x = random_signal(other.count(1), 2, "x", torch::kFloat64);
  expect_error(Fault::argument,
               {"FlattenedReadout", concat(sample.options.simplices), concat(other.count(1))}, [&] {
                 sample.readout->forward(other, {{Tensor(), x}});
               });
  const std::vector<SimplicialComplex> two(2, sample.operators.complex());
  const ComplexOperators batch(disjoint_union(two));
  expect_error(Fault::argument, {"batch of 2"}, [&] {
    sample.readout->forward(batch, {{Tensor(), torch::cat({sample.signal(), sample.signal()})}});
  });
  FlattenedReadoutOptions bad{.order = -1, .simplices = 0};
  expect_error(Fault::argument, {"order", "simplices"}, [&] { bad.validate(); });
}

}  // namespace
}  // namespace gsan
