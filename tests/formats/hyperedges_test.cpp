#include "gsan/data/formats/text/hyperedges.h"

#include <gtest/gtest.h>

#include "gsan/data/formats/read_complex.h"
#include "gsan/topology/subcomplex.h"

#include "samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

ComplexFile hyperedges(std::string_view text, const ReadOptions& options = {}) {
  return parse_hyperedges(text, "h.csv", options);
}

TEST(Hyperedges, PairsOfEdgeAndNode) {
  for (const char* text :
       {"edge,node\nt,a\nt,b\ns,c\nt,c\ns,d\n", "Hyperedge;Vertex\nt;a\nt;b\ns;c\nt;c\ns;d\n",
        "edge,node,weight\nt,a,1\nt,b,1\ns,c,2\nt,c,\ns,d,x\nt,a,1\n"}) {
    const ComplexFile file = hyperedges(text);
    EXPECT_EQ(file.listed.complex.count(0), 4) << text;
    EXPECT_EQ(file.listed.complex.count(1), 4) << text;
    EXPECT_EQ(file.listed.list(2).vertices, (std::vector<Vertex>{0, 1, 2})) << text;
    EXPECT_EQ(file.listed.list(1).vertices, (std::vector<Vertex>{2, 3})) << text;
  }
  expect_error(Fault::format, {"h.csv:3", "vertex is missing"}, [] { hyperedges("edge,node\nt,a\nt,\n"); });
  expect_error(Fault::format, {"h.csv:3", "2 fields"}, [] { hyperedges("edge,node\nt,a\nt\n"); });
}

TEST(Hyperedges, RowsOfAnyLength) {
  for (const char* text :
       {"a,b,c\nc,d\n", "v0,v1,v2\na,b,c\nc,d\n", "v0,v1,v2\na,b,c\nc,d,\n", "a b c\nc d\n"}) {
    const ComplexFile file = hyperedges(text);
    EXPECT_EQ(file.listed.complex.count(2), 1) << text;
    EXPECT_EQ(file.listed.list(1).vertices, (std::vector<Vertex>{2, 3})) << text;
    EXPECT_EQ(file.values[1].columns, 0u) << text;
  }
  const ComplexFile weighted = hyperedges("v0,v1,v2,weight\na,b,c,2.5\nc,d,,7\n");
  EXPECT_EQ(weighted.values[2].values, (std::vector<double>{2.5}));
  EXPECT_EQ(weighted.values[1].values, (std::vector<double>{7}));
  expect_error(Fault::format, {"h.csv:3", "repeats the simplex", "line 2"},
               [] { hyperedges("v0,v1,v2,weight\na,b,c,1\nc,a,b,2\n"); });
  expect_error(Fault::format, {"h.csv:2", "'x'"}, [] { hyperedges("v0,v1,v2,weight\na,b,c,x\n"); });
  expect_error(Fault::format, {"h.csv:2", "names 3 vertices", "v0 ... v3"},
               [] { hyperedges("v0,v1,v2\na,b,c,d\n"); });
  expect_error(Fault::format, {"h.csv:2:3", "vertex is missing"}, [] { hyperedges("v0,v1,v2\na,,c\n"); });
  expect_error(Fault::format, {"h.csv:2", "at least one"}, [] { hyperedges("v0,v1,v2\n,,\n"); });
  EXPECT_EQ(hyperedges("a,b\nc,c\n", {{}, true}).listed.complex.count(1), 1);
}

TEST(Hyperedges, TablesAreRecognised) {
  const auto format = [](std::string_view bytes) { return detect_format("a.csv", bytes).name; };
  EXPECT_EQ(format("edge,node\n1,2\n"), "hyperedges");
  EXPECT_EQ(format("v0,v1,v2\n1,2,3\n"), "hyperedges");
  EXPECT_EQ(format("v0,v1,v2,weight\n1,2,3,4\n"), "hyperedges");
  EXPECT_EQ(format("1,2,3\n4,5\n"), "hyperedges");
  EXPECT_EQ(format("v0,v1\n1,2\n"), "edges");
  EXPECT_EQ(format("v0,v1,weight\n1,2,3\n"), "edges");
  EXPECT_EQ(format("u,v\n1,2\n"), "edges");
  EXPECT_EQ(format("id,x,y\n1,2,3\n"), "points");
}

// One law for all formats: what is read up to an order is the skeleton of what is read.
TEST(MaxOrder, EveryFormatGivesTheSkeleton) {
  for (const Sample& sample : samples()) {
    if (sample.format == "signal") continue;
    const ComplexFormat& format = complex_format(sample.format);
    const ComplexFile all = format.parse(sample.bytes, "all", {});
    for (int k = 0; k <= all.listed.complex.order() + 1; ++k) {
      ReadOptions options;
      options.max_order = k;
      const ComplexFile file = format.parse(sample.bytes, "some", options);
      EXPECT_EQ(file.listed.complex, skeleton(all.listed.complex, k).complex) << sample.format << " " << k;
      EXPECT_EQ(file.listed.labels, all.listed.labels) << sample.format;
      ASSERT_EQ(file.values.size(), file.listed.lists.size()) << sample.format;
      for (std::size_t j = 0; j < file.values.size(); ++j) {
        EXPECT_EQ(file.listed.lists[j].vertices, all.listed.lists[j].vertices) << sample.format;
        EXPECT_EQ(file.values[j].rows, all.values[j].rows) << sample.format;
      }
    }
  }
}

}  // namespace
}  // namespace gsan
