// Edge lists and points.
#include <gtest/gtest.h>

#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/edge_list.h"
#include "gsan/data/formats/text/points_csv.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

ComplexFile edges(std::string_view text, const ReadOptions& options = {}) {
  return parse_edge_list(text, "e.txt", options);
}
ComplexFile points(std::string_view text, const ReadOptions& options = {}) {
  return parse_points(text, "p.csv", options);
}

TEST(EdgeList, BlanksAndEveryCsvDelimiter) {
  for (const char* text : {"3 1 0.5\n1 2 2\n", "3,1,0.5\n1,2,2\n", "3;1;0.5\r\n1;2;2", "3\t1\t0.5\n1\t2\t2\n",
                           "# c\n% d\n3 1 0.5\n\n1  2  2\n", "source,target,w\n3,1,0.5\n1,2,2\n"}) {
    const ComplexFile file = edges(text);
    EXPECT_EQ(file.listed.complex.count(0), 3) << text;
    EXPECT_EQ(file.listed.complex.count(1), 2) << text;
    EXPECT_EQ(file.listed.list(1).rows, (std::vector<Index>{1, 0})) << text;
    EXPECT_EQ(file.listed.list(1).signs, (std::vector<std::int8_t>{-1, 1})) << text;
    EXPECT_EQ(file.values[1].values, (std::vector<double>{0.5, 2})) << text;
    EXPECT_TRUE(file.listed.list(0).rows.empty()) << text;  // no vertex was listed
  }
  EXPECT_EQ(edges("source,target,w\n1,2,3\n").values[1].names[0], "w");
  EXPECT_EQ(edges("1 2 3\n").values[1].names[0], "weight");
  EXPECT_EQ(edges("1 2\n").values[1].columns, 0u);
}

TEST(EdgeList, StringLabels) {
  const ComplexFile file = edges("New York,Rome\nRome,\"Paris, TX\"\n");
  EXPECT_EQ(file.listed.labels.find("New York"), 0);
  EXPECT_EQ(file.listed.labels.find("Paris, TX"), 1);
  // These two words are vertices where no CSV header can be.
  EXPECT_EQ(edges("source target\n").listed.complex.count(1), 1);
  EXPECT_EQ(edges("source,target\n", {{}, false, false, HeaderRow::absent}).listed.complex.count(1), 1);
  EXPECT_EQ(edges("u,v\n1,2\n", {{}, false, false, HeaderRow::present}).listed.complex.count(1), 1);
}

TEST(EdgeList, RepeatedEdgesMergeUnlessTheyHaveWeights) {
  const ComplexFile file = edges("1 2\n2 1\n1 2\n");
  EXPECT_EQ(file.listed.complex.count(1), 1);
  EXPECT_EQ(file.listed.list(1).size(), 3);
  expect_error(Fault::format, {"e.txt:3", "(2 1)", "line 1"}, [] { edges("1 2 5\n2 3 5\n2 1 5\n"); });
}

TEST(EdgeList, SelfLoops) {
  expect_error(Fault::format, {"e.txt:2", "must differ", "(2 2)"}, [] { edges("1 2\n2 2\n"); });
  const ComplexFile file = edges("1 2 5\n2 2 6\n2 3 7\n", {{}, true, false, HeaderRow::automatic});
  EXPECT_EQ(file.values[1].values, (std::vector<double>{5, 7}));
}

TEST(EdgeList, BadLines) {
  expect_error(Fault::format, {"e.txt:1:1", "1 fields"}, [] { edges("1\n"); });
  expect_error(Fault::format, {"4 fields"}, [] { edges("1 2 3 4\n"); });
  expect_error(Fault::format, {"e.txt:2:1", "3 fields", "has 2"}, [] { edges("1 2 3\n1 2\n"); });
  expect_error(Fault::format, {"e.txt:2:5", "'x'"}, [] { edges("1 2 3\n2 3 x\n"); });
  expect_error(Fault::format, {"finite"}, [] { edges("1 2 nan\n"); });
  expect_error(Fault::format, {"e.txt:1:3", "missing"}, [] { edges("1,\n"); });
  EXPECT_EQ(edges("").listed.complex.order(), -1);
  EXPECT_EQ(edges("source,target,weight\n").listed.complex.order(), -1);
}

TEST(Points, CoordinatesAreTheValuesOfOrderZero) {
  const ComplexFile file = points("0,1\n2,3\n4,5\n");
  EXPECT_EQ(file.listed.complex.count(0), 3);
  EXPECT_EQ(file.listed.complex.order(), 0);
  EXPECT_EQ(file.values[0].columns, 2u);
  EXPECT_EQ(file.values[0].values, (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(file.values[0].names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(points("0 1 2\n3 4 5\n").values[0].columns, 3u);
  EXPECT_EQ(points("1,2,3,4\n").values[0].names[3], "x3");
  EXPECT_EQ(points("").listed.complex.order(), -1);
  EXPECT_EQ(points("x,y\n").listed.complex.order(), -1);
}

TEST(Points, LabelsMayStandInTheFirstColumn) {
  const ComplexFile file = points("id,lon,lat\nRome,12.5,41.9\n7,1,2\n");
  EXPECT_EQ(file.values[0].names, (std::vector<std::string>{"lon", "lat"}));
  const Signal placed = to_complex_order(file.values[0], file.listed, 0, false);
  EXPECT_EQ(placed.values, (std::vector<double>{1, 2, 12.5, 41.9}));  // 7 before Rome
  expect_error(Fault::format, {"p.csv:3", "(7)", "line 2"}, [] { points("id,x\n7,1\n7,2\n"); });
  expect_error(Fault::format, {"p.csv:1:1", "coordinates"}, [] { points("id\n7\n"); });
}

TEST(Points, BadRows) {
  expect_error(Fault::format, {"p.csv:2:3", "row 1, column 1", "'nan'"}, [] { points("1,2\n3,nan\n"); });
  expect_error(Fault::format, {"p.csv:1:1", "'a'"}, [] { points("a,1\nb,2\n"); });
  expect_error(Fault::format, {"p.csv:2:1", "2 fields", "has 1"}, [] { points("1,2\n3\n"); });
}

}  // namespace
}  // namespace gsan
