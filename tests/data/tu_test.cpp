#include "gsan/data/sources/tu.h"

#include <gtest/gtest.h>

#include <torch/types.h>

#include "support/expect_error.h"
#include "support/published_data.h"

namespace gsan {
namespace {

// A triangle with a tail; a single node; two nodes whose rows are mixed with those of the first graph.
TuFiles sample() {
  return {{"_A", "1, 2\n2, 1\n2, 4\n4, 2\n1, 4\n4, 1\n4, 5\n5, 4\n3 7\n7 3\n5 5\n"},
          {"_graph_indicator", "1\n1\n3\n1\n1\n2\n3\n"},
          {"_graph_labels", "4\n-1\n4\n"},
          {"_node_labels", "7\n7\n2\n2\n5\n2\n5\n"},
          {"_node_attributes", "1\n2\n3\n4\n5\n6\n7\n"},
          {"_edge_labels", "0\n0\n1\n1\n0\n0\n1\n1\n1\n1\n0\n"},
          {"_edge_attributes", "1\n3\n2\n2\n3\n3\n4\n4\n5\n5\n9\n"}};
}

Tensor rows(const std::vector<std::vector<float>>& values) {
  std::vector<float> flat;
  for (const auto& row : values) flat.insert(flat.end(), row.begin(), row.end());
  return torch::tensor(flat).view({static_cast<std::int64_t>(values.size()), -1});
}

TEST(Tu, NodesEdgesAndTrianglesHaveTheirFeatures) {
  const ComplexDataset dataset = tu_dataset(parse_tu(sample(), "TINY"));
  EXPECT_EQ(dataset.name, "TINY");
  EXPECT_EQ(dataset.classes, 2);
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"-1", "4"}));
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({1, 0, 1}, torch::kInt64)));
  EXPECT_EQ(dataset.widths, (std::vector<int>{4, 4, 4}));
  ASSERT_EQ(dataset.complexes.size(), 3u);
  const SimplicialComplex& first = dataset.complexes[0];
  EXPECT_EQ(first.count(0), 4);
  EXPECT_EQ(first.count(1), 4);
  EXPECT_EQ(first.count(2), 1);
  const Cochains& x = dataset.features[0];
  ASSERT_EQ(x.size(), 3u);
  // one-hot of 2, 5, 7, then the attribute; nodes 1, 2, 4, 5 of the files
  EXPECT_TRUE(torch::equal(x[0], rows({{0, 0, 1, 1}, {0, 0, 1, 2}, {1, 0, 0, 4}, {0, 1, 0, 5}})));
  EXPECT_TRUE(
      torch::allclose(x[1], rows({{0, 0, 1, 1.5}, {.5, 0, .5, 2.5}, {.5, 0, .5, 3}, {.5, .5, 0, 4.5}})));
  EXPECT_TRUE(torch::allclose(x[2], rows({{1.f / 3, 0, 2.f / 3, 7.f / 3}})));
  EXPECT_EQ(x[0].scalar_type(), torch::kFloat32);
}

TEST(Tu, GraphsWithoutEdgesOrTrianglesHaveEmptyFeaturesOfTheirWidth) {
  const ComplexDataset dataset = tu_dataset(parse_tu(sample(), "TINY"));
  EXPECT_EQ(dataset.complexes[1].order(), 0);
  EXPECT_EQ(dataset.features[1][1].sizes(), (torch::IntArrayRef{0, 4}));
  EXPECT_EQ(dataset.features[1][2].sizes(), (torch::IntArrayRef{0, 4}));
  EXPECT_EQ(dataset.features[2][1].sizes(), (torch::IntArrayRef{1, 4}));
  EXPECT_EQ(dataset.features[2][2].sizes(), (torch::IntArrayRef{0, 4}));
  TuFiles files = sample();
  files["_graph_labels"] += "9\n";  // a graph without nodes
  const ComplexDataset with_empty = tu_dataset(parse_tu(files, "TINY"));
  EXPECT_EQ(with_empty.complexes[3].order(), -1);
  EXPECT_EQ(with_empty.features[3][0].sizes(), (torch::IntArrayRef{0, 4}));
  EXPECT_EQ(with_empty.classes, 3);
}

TEST(Tu, OwnEdgeFeaturesAreTheMeanOfTheListedDirections) {
  TuOptions options;
  options.edge_features = EdgeFeatures::own;
  const ComplexDataset dataset = tu_dataset(parse_tu(sample(), "TINY"), options);
  EXPECT_EQ(dataset.widths, (std::vector<int>{4, 3, 3}));
  EXPECT_TRUE(torch::allclose(dataset.features[0][1], rows({{1, 0, 2}, {1, 0, 3}, {0, 1, 2}, {0, 1, 4}})));
  EXPECT_TRUE(torch::allclose(dataset.features[0][2], rows({{2.f / 3, 1.f / 3, 7.f / 3}})));
  EXPECT_EQ(dataset.features[1][1].sizes(), (torch::IntArrayRef{0, 3}));
  TuFiles files = sample();
  files.erase("_edge_labels");
  files.erase("_edge_attributes");
  expect_error(Fault::argument, {"TINY", "no edge labels"},
               [&] { tu_dataset(parse_tu(files, "TINY"), options); });
}

TEST(Tu, NodesWithoutFeaturesGetAOne) {
  TuFiles files = sample();
  files.erase("_node_labels");
  files.erase("_node_attributes");
  const ComplexDataset dataset = tu_dataset(parse_tu(files, "TINY"));
  EXPECT_EQ(dataset.widths, (std::vector<int>{1, 1, 1}));
  for (const Tensor& x : dataset.features[0]) EXPECT_TRUE(torch::equal(x, torch::ones_like(x)));
}

TEST(Tu, LimitsAreRespected) {
  TuOptions options;
  options.limits.max_memory = 100;
  expect_error(Fault::resource, {"tu_dataset"}, [&] { tu_dataset(parse_tu(sample(), "TINY"), options); });
  options = {};
  options.max_order = 0;
  expect_error(Fault::argument, {"max_order"}, [&] { tu_dataset(parse_tu(sample(), "TINY"), options); });
}

TEST(PublishedTu, Proteins) {
  const auto folder = published_data("tu/PROTEINS");
  GSAN_SKIP_WITHOUT(folder, "tu/PROTEINS");
  const ComplexDataset dataset = read_tu_dataset(folder);
  EXPECT_EQ(dataset.name, "PROTEINS");
  EXPECT_EQ(dataset.complexes.size(), 1113u);
  EXPECT_EQ(dataset.widths, (std::vector<int>{4, 4, 4}));
  EXPECT_EQ(dataset.classes, 2);
  std::int64_t nodes = 0, edges = 0;
  for (std::size_t i = 0; i < dataset.complexes.size(); ++i) {
    for (int k = 0; k <= 2; ++k)
      ASSERT_EQ(dataset.features[i][static_cast<std::size_t>(k)].size(0), dataset.complexes[i].count(k));
    const Tensor one_hot = dataset.features[i][0].narrow(1, 0, 3);
    ASSERT_TRUE(torch::equal(one_hot.sum(1), torch::ones({one_hot.size(0)})));
    nodes += dataset.complexes[i].count(0);
    edges += dataset.complexes[i].count(1);
  }
  EXPECT_EQ(nodes, 43471);
  EXPECT_EQ(2 * edges, 162088);
}

TEST(PublishedTu, Nci1HasAlmostNoTriangles) {
  const auto folder = published_data("tu/NCI1");
  GSAN_SKIP_WITHOUT(folder, "tu/NCI1");
  const ComplexDataset dataset = read_tu_dataset(folder);
  EXPECT_EQ(dataset.complexes.size(), 4110u);
  EXPECT_EQ(dataset.widths, (std::vector<int>{37, 37, 37}));
  EXPECT_EQ(dataset.classes, 2);
  double edges = 0, alone = 0;
  for (const SimplicialComplex& complex : dataset.complexes) {
    for (Index e = 0; e < complex.count(1); ++e) alone += complex.cofaces(1, e).empty();
    edges += complex.count(1);
  }
  EXPECT_NEAR(100 * alone / edges, 99.6, 0.05);
}

}  // namespace
}  // namespace gsan
