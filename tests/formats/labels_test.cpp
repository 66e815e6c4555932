#include "gsan/data/formats/text/labels.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

Labels collect(const std::vector<std::string>& texts, std::vector<Vertex>& vertices) {
  LabelCollector collector;
  for (const std::string& text : texts) collector.add(std::string_view(text));
  return collector.finish(vertices);
}

std::vector<std::string> all(const Labels& labels) {
  std::vector<std::string> texts;
  for (Vertex v = 0; v < labels.size(); ++v) texts.push_back(labels.text(v));
  return texts;
}

TEST(Labels, IntegersWithGapsStandInNumericOrder) {
  std::vector<Vertex> vertices;
  const Labels labels = collect({"10", "-3", "9", "10", "1000000007"}, vertices);
  EXPECT_EQ(all(labels), (std::vector<std::string>{"-3", "9", "10", "1000000007"}));
  EXPECT_EQ(vertices, (std::vector<Vertex>{2, 0, 1, 2, 3}));
}

TEST(Labels, TheTableAndTheSearchAgree) {
  // Few gaps use a table, many a search; one far label switches between the two.
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(std::to_string((i * 37) % 100));
  std::vector<Vertex> dense, sparse;
  collect(texts, dense);
  texts.push_back("9223372036854775807");
  texts.push_back("-9223372036854775808");
  collect(texts, sparse);
  for (std::size_t i = 0; i < dense.size(); ++i) EXPECT_EQ(dense[i] + 1, sparse[i]);
}

TEST(Labels, StringsFollowTheIntegersInByteOrder) {
  std::vector<Vertex> vertices;
  const Labels labels = collect({"b", "2", "é", "a10", "a2", "", "-1", "b"}, vertices);
  EXPECT_EQ(all(labels), (std::vector<std::string>{"-1", "2", "", "a10", "a2", "b", "é"}));
  EXPECT_EQ(vertices, (std::vector<Vertex>{5, 1, 6, 3, 4, 2, 0, 5}));
}

TEST(Labels, OnlyPlainIntegersAreIntegers) {
  std::vector<Vertex> vertices;
  const Labels labels =
      collect({"7", "007", "+7", "-0", "0", "7.0", "9223372036854775808", "-", "0x7"}, vertices);
  EXPECT_EQ(labels.size(), 9);  // nothing is merged
  EXPECT_EQ(all(labels)[0], "0");
  EXPECT_EQ(all(labels)[1], "7");
  EXPECT_TRUE(labels.is_integer(1));
  EXPECT_FALSE(labels.is_integer(2));
}

TEST(Labels, TheNumberingDoesNotDependOnTheOrderOfTheFile) {
  std::vector<std::string> texts{"x", "3", "y", "-7", "w", "20"};
  std::vector<Vertex> vertices;
  const Labels labels = collect(texts, vertices);
  std::sort(texts.begin(), texts.end());
  do {
    ASSERT_EQ(collect(texts, vertices), labels);
  } while (std::next_permutation(texts.begin(), texts.end()));
}

TEST(Labels, FindIsTheInverseOfText) {
  std::vector<Vertex> vertices;
  const Labels labels = collect({"5", "q", "-2", "r s", "77"}, vertices);
  for (Vertex v = 0; v < labels.size(); ++v) EXPECT_EQ(labels.find(labels.text(v)), v);
  for (const char* unknown : {"6", "05", "", "Q", "r"})
    EXPECT_FALSE(labels.find(unknown).has_value()) << unknown;
  expect_error(Fault::argument, {"0 ... 4", "got 5"}, [&] { labels.text(5); });
  EXPECT_EQ(labels.text(std::vector<Vertex>{4, 0}), "(r s -2)");
}

TEST(Labels, NoLabels) {
  std::vector<Vertex> vertices{1, 2};
  EXPECT_EQ(LabelCollector().finish(vertices).size(), 0);
  EXPECT_TRUE(vertices.empty());
  EXPECT_EQ(Labels::consecutive(0).size(), 0);
  EXPECT_EQ(Labels::consecutive(3, 1).text(2), "3");
}

}  // namespace
}  // namespace gsan
