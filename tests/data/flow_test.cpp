#include "gsan/data/sources/flow.h"

#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/topology/delaunay.h"
#include "gsan/topology/homology.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

bool inside(const std::array<double, 2>& p, double x0, double y0, double x1, double y1) {
  return x0 <= p[0] && p[0] <= x1 && y0 <= p[1] && p[1] <= y1;
}

class Flow : public testing::Test {
  void SetUp() override {
    if (!has_delaunay()) GTEST_SKIP() << "built without Qhull";
  }
};

TEST_F(Flow, HolesAreHoles) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    for (const int points : {400, 1000}) {
      const FlowPlane plane = flow_plane(points, seed);
      EXPECT_EQ(betti_numbers(plane.complex), (std::vector<Index>{1, 2, 0}));
      ASSERT_EQ(static_cast<Index>(plane.points.size()), plane.complex.count(0));
      for (const auto& p : plane.points) {
        EXPECT_TRUE(inside(p, -0.05, -0.05, 1.05, 1.05));
        EXPECT_FALSE(inside(p, .2, .2, .4, .4) || inside(p, .6, .6, .8, .8));
      }
      // Closed under triangles alone: every edge belongs to one.
      for (Index e = 0; e < plane.complex.count(1); ++e) EXPECT_FALSE(plane.complex.cofaces(1, e).empty());
      EXPECT_GT(plane.points.size(), 0.85 * points);
    }
  }
}

TEST_F(Flow, ASignalIsAWalkFromCornerToCornerPastItsCheckpoint) {
  FlowOptions options;
  options.signals = 60;
  options.seed = 7;
  const SignalDataset dataset = synthetic_flow(options);
  const FlowPlane plane = flow_plane(options.points, options.seed);
  ASSERT_TRUE(dataset.complex == plane.complex);
  ASSERT_EQ(dataset.signals.sizes(), (torch::IntArrayRef{60, plane.complex.count(1), 1}));
  ASSERT_EQ(dataset.points.sizes(), (torch::IntArrayRef{plane.complex.count(0), 2}));
  EXPECT_EQ(dataset.points[7][1].item<double>(), plane.points[7][1]);
  EXPECT_EQ(dataset.labels.sum().item<int>(), 30);
  const auto place = [&](const Tensor& vertex) {
    return plane.points[static_cast<std::size_t>(vertex.item<std::int64_t>())];
  };
  const Tensor ends = ComplexOperators(dataset.complex).incidence(1).boundary(dataset.signals).squeeze(-1);
  for (int i = 0; i < 60; ++i) {
    const Tensor x = dataset.signals[i].squeeze(-1);
    EXPECT_TRUE(torch::equal(x.abs(), (x != 0).to(torch::kFloat64)));
    const auto label = dataset.labels[i].item<std::int64_t>();
    EXPECT_EQ(label, i % 2);
    EXPECT_EQ(ends[i].abs().sum().item<double>(), 2);
    EXPECT_TRUE(inside(place(ends[i].argmin()), 0, .8, .2, 1));
    EXPECT_TRUE(inside(place(ends[i].argmax()), .8, 0, 1, .2));
    std::vector<int> degree(plane.points.size());
    bool passes = false;
    for (Index e = 0; e < plane.complex.count(1); ++e) {
      if (x[e].item<double>() == 0) continue;
      for (const Vertex v : plane.complex.vertices(1, e)) {
        EXPECT_LE(++degree[static_cast<std::size_t>(v)], 2);  // no node twice
        const auto& p = plane.points[static_cast<std::size_t>(v)];
        passes |= label == 0 ? inside(p, 0, 0, .2, .2) : inside(p, .8, .8, 1, 1);
      }
    }
    EXPECT_TRUE(passes);
  }
}

TEST_F(Flow, AWalkDependsOnSeedAndNumberAlone) {
  FlowOptions few, many, other;
  few.signals = 10;
  many.signals = 20;
  other.signals = 10;
  other.seed = 1;
  const SignalDataset a = synthetic_flow(few), b = synthetic_flow(many), c = synthetic_flow(other);
  EXPECT_TRUE(torch::equal(a.signals, b.signals.narrow(0, 0, 10)));
  EXPECT_FALSE(a.complex == c.complex);
  EXPECT_FALSE(torch::equal(b.signals[0], b.signals[2]));
}

TEST_F(Flow, TooFewPointsAreAnError) {
  expect_error(Fault::argument, {"5 points", "use more"}, [] { flow_plane(5, 0); });
  expect_error(Fault::argument, {"at least 3"}, [] { flow_plane(2, 0); });
  FlowOptions options;
  options.signals = -1;
  expect_error(Fault::argument, {"negative"}, [&] { synthetic_flow(options); });
}

TEST(FlowWithoutQhull, TheErrorSaysSo) {
  if (has_delaunay()) GTEST_SKIP() << "built with Qhull";
  EXPECT_THROW(synthetic_flow(), Error);
}

}  // namespace
}  // namespace gsan
