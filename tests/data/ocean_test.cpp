#include "gsan/data/sources/ocean.h"

#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/topology/homology.h"

#include "support/expect_error.h"
#include "support/published_data.h"

namespace gsan {
namespace {

// A fan of six triangles around node 0, without the centre of one of them.
DrifterFile sample() {
  DrifterFile drifters;
  drifters.centres = {{0, 0.1}, {1, 0}, {0.5, 0.8}, {-0.5, 0.8}, {-1, 0}, {-0.5, -0.8}, {0.5, -0.8}};
  for (Vertex v = 1; v <= 6; ++v) {
    const Vertex next = v % 6 + 1;
    drifters.edges.push_back({v, 0});
    drifters.edges.push_back({v, next});
    if (v != 6) drifters.triangles.push_back({next, 0, v});
  }
  return drifters;
}

TEST(Ocean, StepsBackAreStrippedThenShortPathsThenTheClosingNode) {
  DrifterFile drifters = sample();
  drifters.paths = {
      {1, 2, 3, 2, 1, 0, 1},        // stripped to 1
      {1, 2, 0, 2, 3, 4, 5},        // 1 2 3 4 5
      {1, 2, 3, 4},                 // too short
      {1, 2, 3, 0, 1},              // five nodes, then the closing one goes
      {6, 5, 4, 3, 2},              //
      {1, 2, 3, 4, 5, 6, 1, 2, 3},  // runs along two edges twice
  };
  const SignalDataset dataset = ocean_dataset(drifters);
  EXPECT_EQ(dataset.order, 1);
  EXPECT_EQ(dataset.complex.count(1), 12);
  ASSERT_EQ(dataset.signals.sizes(), (torch::IntArrayRef{4, 12, 1}));
  EXPECT_EQ(dataset.points.sizes(), (torch::IntArrayRef{dataset.complex.count(0), 2}));
  ASSERT_EQ(dataset.signals.scalar_type(), torch::kFloat64);
  const auto at = [&](int signal, Vertex a, Vertex b) {
    const std::array<Vertex, 2> edge = {std::min(a, b), std::max(a, b)};
    return (a < b ? 1 : -1) * dataset.signals[signal][*dataset.complex.find(edge)][0].item<double>();
  };
  EXPECT_EQ(at(0, 2, 3), 1);
  EXPECT_EQ(at(0, 2, 0), 0);
  EXPECT_EQ(at(0, 4, 5), 1);
  EXPECT_EQ(at(1, 3, 0), 1);
  EXPECT_EQ(at(1, 0, 1), 0);
  EXPECT_EQ(at(2, 6, 5), 1);
  EXPECT_EQ(at(3, 1, 2), 2);
  EXPECT_EQ(at(3, 6, 1), 1);
  // 1 → 5 turns clockwise around the centre, the others do not.
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({0, 1, 1, 1}, torch::kInt64)));
}

TEST(Ocean, FaultsOfTheFileAreNamed) {
  DrifterFile drifters = sample();
  drifters.paths = {{1, 2, 4, 5, 6}};
  expect_error(Fault::format, {"ocean", "2 to node 4", "no edge"}, [&] { ocean_dataset(drifters); });
  drifters = sample();
  drifters.edges.pop_back();
  drifters.triangles.push_back({6, 1, 0});
  expect_error(Fault::format, {"must be listed"}, [&] { ocean_dataset(drifters); });
  drifters = sample();
  drifters.edges.push_back({3, 3});
  expect_error(Fault::format, {"ocean drifters", "3"}, [&] { ocean_dataset(drifters); });
  drifters = sample();
  drifters.paths = {{1, 2, 3, 4, 0}};
  for (auto& centre : drifters.centres) centre[1] = 0;
  expect_error(Fault::format, {"one line"}, [&] { ocean_dataset(drifters); });
}

TEST(PublishedOcean, TwoHundredPathsAroundTwoHoles) {
  const auto file = published_data("ocean/dataBuoys.jld2");
  GSAN_SKIP_WITHOUT(file, "ocean/dataBuoys.jld2");
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const SignalDataset dataset = read_ocean(file);
  EXPECT_EQ(dataset.complex.count(0), 133);
  EXPECT_EQ(dataset.complex.count(1), 320);
  EXPECT_EQ(dataset.complex.count(2), 186);
  EXPECT_EQ(betti_numbers(dataset.complex), (std::vector<Index>{1, 2, 0}));
  ASSERT_EQ(dataset.signals.sizes(), (torch::IntArrayRef{200, 320, 1}));
  // Each flow leaves its first node and enters its last, another one.
  const ComplexOperators operators(dataset.complex);
  const Tensor ends = operators.incidence(1).boundary(dataset.signals).squeeze(-1);
  EXPECT_TRUE(torch::equal((ends == 1).sum(1), torch::ones({200}, torch::kInt64)));
  EXPECT_TRUE(torch::equal((ends == -1).sum(1), torch::ones({200}, torch::kInt64)));
  EXPECT_TRUE(torch::equal(ends.abs().sum(1), torch::full({200}, 2.0, torch::kFloat64)));
  EXPECT_EQ(dataset.labels.sum().item<std::int64_t>(), 90);  // the others turn clockwise
}

}  // namespace
}  // namespace gsan
