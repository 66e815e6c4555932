#include "gsan/data/formats/text/tu_text.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

// A triangle with a tail, and a single node.
TuFiles sample() {
  return {{"_A", "1, 2\n2, 1\n2,3\n3  2\n1 , 3\n3, 1\n3, 4\n4, 3\n"},
          {"_graph_indicator", "1\n1\n1\n1\n2\n"},
          {"_graph_labels", "-1\n1\n"},
          {"_node_labels", "7\n7\n2\n5\n2\n"},
          {"_node_attributes", " 0.5, 1\n1.5, 2\n2.5 3\n-3e1,4\n5, 5\n"},
          {"_edge_labels", "0\n0\n1\n1\n0\n0\n1\n1\n"},
          {"_edge_attributes", "1\n3\n2\n2\n3\n3\n4\n4.0\n"},
          {"_graph_attributes", "0.25\n0.75"}};
}

TEST(TuText, ReadsEveryFile) {
  const TuText text = parse_tu(sample(), "TINY");
  EXPECT_EQ(text.name, "TINY");
  EXPECT_EQ(text.graph_labels, (std::vector<std::int64_t>{-1, 1}));
  EXPECT_EQ(text.node_graph, (std::vector<Index>{0, 0, 0, 0, 1}));
  ASSERT_EQ(text.edges.size(), 8u);
  EXPECT_EQ(text.edges[3], (std::array<Index, 2>{2, 1}));
  EXPECT_EQ(text.edges[4], (std::array<Index, 2>{0, 2}));
  EXPECT_EQ(text.node_labels.values, (std::vector<std::int64_t>{7, 7, 2, 5, 2}));
  EXPECT_EQ(text.node_attributes.columns, 2u);
  EXPECT_EQ(text.node_attributes.row(3)[0], -30.0);
  EXPECT_EQ(text.edge_labels.columns, 1u);
  EXPECT_EQ(text.edge_attributes.row(1)[0], 3.0);
  EXPECT_EQ(text.graph_attributes.values, (std::vector<double>{0.25, 0.75}));
}

TEST(TuText, OptionalFilesMayBeMissingAndOthersNot) {
  TuFiles files = sample();
  for (const char* name :
       {"_node_labels", "_node_attributes", "_edge_labels", "_edge_attributes", "_graph_attributes"})
    files.erase(name);
  const TuText text = parse_tu(files, "TINY");
  EXPECT_EQ(text.node_labels.columns, 0u);
  EXPECT_EQ(text.edge_attributes.columns, 0u);
  files.erase("_graph_labels");
  expect_error(Fault::io, {"folder/TINY_graph_labels.txt"}, [&] { parse_tu(files, "TINY", "folder"); });
}

TEST(TuText, ErrorsNameFileAndLine) {
  const auto fails = [](const char* file, const char* bytes, std::initializer_list<std::string> words) {
    TuFiles files = sample();
    files[file] = bytes;
    expect_error(Fault::format, words, [&] { parse_tu(files, "TINY"); });
  };
  fails("_A", "1, 2\n2, 9\n", {"TINY_A.txt:2:4", "node 9", "1 … 5"});
  fails("_A", "1, 2\n0, 2\n", {"TINY_A.txt:2", "node 0"});
  fails("_A", "1, 2\n2, 5\n", {"TINY_A.txt:2", "joins graph 1 to graph 2"});
  fails("_A", "1, 2\n2, 1, 3\n", {"TINY_A.txt:2", "3 numbers"});
  fails("_A", "1, 2\n2,\n", {"TINY_A.txt:2", "missing"});
  fails("_A", "1, 2\n,2\n", {"TINY_A.txt:2", "missing"});
  fails("_A", "1, 2\n\n2, 1\n", {"TINY_A.txt:2", "empty line"});
  fails("_A", "1, 2\n2, x\n", {"TINY_A.txt:2:4", "'x'"});
  fails("_graph_indicator", "1\n1\n1\n3\n", {"TINY_graph_indicator.txt:4", "graph 3"});
  fails("_graph_labels", "1\n2.5\n", {"TINY_graph_labels.txt:2", "integer"});
  fails("_graph_labels", "1 2\n2 5\n", {"TINY_graph_labels.txt", "one label"});
  fails("_node_labels", "1\n2\n", {"TINY_node_labels.txt:3", "2 rows", "expected 5"});
  fails("_node_attributes", "1\n2\nnan\n4\n5\n", {"TINY_node_attributes.txt:3", "finite"});
  fails("_edge_labels", "1\n", {"TINY_edge_labels.txt", "expected 8"});
}

TEST(TuText, AFolderHoldsOneCollection) {
  const TemporaryFolder folder;
  expect_error(Fault::io, {"found 0"}, [&] { read_tu(folder.path()); });
  for (const auto& [suffix, bytes] : sample()) std::ofstream(folder / ("TINY" + suffix + ".txt")) << bytes;
  EXPECT_EQ(read_tu(folder.path()).name, "TINY");
  EXPECT_EQ(read_tu(folder.path()).node_attributes.columns, 2u);
  std::ofstream(folder / "OTHER_A.txt") << "1 2\n";
  expect_error(Fault::io, {"found 2"}, [&] { read_tu(folder.path()); });
  expect_error(Fault::io, {"no such folder"}, [&] { read_tu(folder / "none"); });
}

TEST(TuText, DamageIsAnErrorOrACollection) {
  int read = 0, refused = 0;
  const auto check = [&](const TuFiles& files) {
    try {
      const TuText text = parse_tu(files, "damaged");
      EXPECT_EQ(text.node_labels.values.size(), text.node_labels.columns * text.node_graph.size());
      EXPECT_EQ(text.edge_labels.values.size(), text.edge_labels.columns * text.edges.size());
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::format) << error.what();
      EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
      ++refused;
    }
  };
  for (const auto& [suffix, bytes] : sample()) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int value = 0; value < 256; value += value < 128 ? 1 : 31) {
        TuFiles files = sample();
        files[suffix][at] = static_cast<char>(value);
        check(files);
      }
      TuFiles files = sample();
      files[suffix].resize(at);
      check(files);
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace gsan
