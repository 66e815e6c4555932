// How many parameters a layer has, and that every one of them is used.

#include <array>

#include <gtest/gtest.h>

#include "nn/layer_samples.h"

namespace gsan {
namespace {

std::int64_t parameters_of(const SimplicialLayerOptions& options) {
  std::int64_t count = 0;
  for (const Tensor& parameter : SimplicialLayer(options)->parameters()) count += parameter.numel();
  return count;
}

SimplicialLayerOptions with(ShiftKind shift, int J, int heads, Mechanism mechanism = Mechanism::gat) {
  SimplicialLayerOptions options;
  options.in_channels = 3;
  options.out_channels = 5;
  options.order = 2;
  options.set_dirac_taps(J).set_shift(shift);
  options.heads = heads;
  options.mechanism = mechanism;
  return options;
}

// F = 3, F' = 5, K = 2. Weights: (2J + 1) F F'. Attention: 4 sides (0 upper, 1 lower, 1 upper, 2 lower),
// for each 2 P F' with P = P1 = ⌊J/2⌋ for c = 1 and P = P2 = ⌈J/2⌉ for c = 2, but none for P2 = 1, whose
// operator is only raised to the power 0. Everything once per head.
struct Row {
  int J;
  std::array<std::int64_t, 3> convolution, attention;  // for 1, 2, 3 heads
};
constexpr Row table[] = {
    {1, {45, 90, 135}, {45, 90, 135}},
    {2, {75, 150, 225}, {75 + 40, 2 * (75 + 40), 3 * (75 + 40)}},
    {3, {105, 210, 315}, {105 + 120, 2 * (105 + 120), 3 * (105 + 120)}},
    {4, {135, 270, 405}, {135 + 160, 2 * (135 + 160), 3 * (135 + 160)}},
    {5, {165, 330, 495}, {165 + 200, 2 * (165 + 200), 3 * (165 + 200)}},
};

TEST(ParameterCount, OfTheDiracLayers) {
  for (const Row& row : table) {
    for (int heads = 1; heads <= 3; ++heads) {
      EXPECT_EQ(parameters_of(with(ShiftKind::hodge, row.J, heads)), row.convolution[heads - 1])
          << "GSCCN, J = " << row.J << ", heads = " << heads;
      EXPECT_EQ(parameters_of(with(ShiftKind::attention, row.J, heads)), row.attention[heads - 1])
          << "GSAN, J = " << row.J << ", heads = " << heads;
    }
  }
}

TEST(ParameterCount, OfOtherMechanismsAndSharings) {
  // J = 4: P1 = P2 = 2, D = 10, d = F' = 5: gatv2 2 D d + d = 105, dot 2 D d = 100, 8 operators.
  EXPECT_EQ(parameters_of(with(ShiftKind::attention, 4, 1, Mechanism::gatv2)), 135 + 8 * 105);
  EXPECT_EQ(parameters_of(with(ShiftKind::attention, 4, 1, Mechanism::dot)), 135 + 8 * 100);
  SimplicialLayerOptions joint = with(ShiftKind::attention, 4, 1);
  joint.sharing = Sharing::joint;
  // J matrices and W_h; one operator per order for c = 1, one per order and side for c = 2.
  EXPECT_EQ(parameters_of(joint), (4 + 1) * 15 + 3 * 20 + 4 * 20);
  SimplicialLayerOptions unshared = with(ShiftKind::hodge, 4, 1);
  unshared.sharing = Sharing::none;
  EXPECT_EQ(parameters_of(unshared), (4 * 4 + 1) * 15);
  // One MLP per order: 3 · 5 + 5 + 5 + 1.
  EXPECT_EQ(parameters_of(with(ShiftKind::weighted, 4, 2)), 2 * (135 + 3 * 26));
  SimplicialLayerOptions with_bias = with(ShiftKind::hodge, 1, 2);
  with_bias.bias = with_bias.identity = true;
  EXPECT_EQ(parameters_of(with_bias), 90 + 2 * 15 + 3 * 10);
  with_bias.head_mode = HeadMode::mean;
  EXPECT_EQ(parameters_of(with_bias), 90 + 2 * 15 + 3 * 5);
}

class UsedParameters : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, UsedParameters, testing::ValuesIn(layer_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(UsedParameters, AreAllThatExist) {
  EXPECT_EQ(unused_parameters(GetParam().options, solid_sample()), "");
}

}  // namespace
}  // namespace gsan
