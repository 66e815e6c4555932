#include "gsan/data/formats/hif/hif.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/simplices_text.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

ComplexFile parse(std::string_view text, bool close = false) {
  return parse_hif(text, "n.json", {{}, false, close, HeaderRow::automatic});
}

std::string asc(const std::string& rest) { return R"({"network-type": "asc", )" + rest + "}"; }

TEST(Hif, NodesEdgesAndIncidences) {
  const ComplexFile file = parse(asc(R"("metadata": {"name": [1, {"deep": []}]},
    "edges": [{"edge": "t", "attrs": {"x": {"y": 1}}}, {"edge": 5, "weight": 2.5}],
    "incidences": [{"edge": 5, "node": 20}, {"edge": "t", "node": "c", "weight": 3}, {"edge": "t", "node": 20},
                   {"edge": 5, "node": 3}, {"edge": "t", "node": 3}, {"edge": "late", "node": "c"}, {"edge": "late", "node": "d"}],
    "nodes": [{"node": "c", "weight": 7}, {"node": 3}, {"node": "alone"}])"));
  const ListedComplex& listed = file.listed;
  EXPECT_EQ(listed.complex.count(0), 5);
  EXPECT_EQ(listed.complex.count(2), 1);
  EXPECT_EQ(listed.labels.text(listed.list(2).simplex(0)), "(c 20 3)");
  ASSERT_EQ(listed.list(1).size(), 2);
  EXPECT_EQ(listed.labels.text(listed.list(1).simplex(0)), "(20 3)");
  EXPECT_EQ(listed.labels.text(listed.list(1).simplex(1)), "(c d)");
  ASSERT_EQ(listed.list(0).size(), 3);  // d and 20 were not listed
  EXPECT_EQ(listed.labels.text(listed.list(0).simplex(2)), "(alone)");
  EXPECT_EQ(file.values[1].values[0], 2.5);
  EXPECT_TRUE(std::isnan(file.values[1].values[1]));
  EXPECT_EQ(file.values[0].values[0], 7);
  EXPECT_EQ(file.values[2].columns, 0u);
}

TEST(Hif, AnEdgeOfOneNodeIsThatVertex) {
  const ComplexFile file =
      parse(asc(R"("nodes": [{"node": 1}], "incidences": [{"edge": 0, "node": 1}, {"edge": 1, "node": 2}])"));
  EXPECT_EQ(file.listed.list(0).size(), 2);
  EXPECT_EQ(file.listed.complex.order(), 0);
  expect_error(Fault::format, {"repeats"}, [] {
    parse(asc(
        R"("nodes": [{"node": 1}], "edges": [{"edge": 0, "weight": 1}], "incidences": [{"edge": 0, "node": 1}])"));
  });
}

TEST(Hif, OnlySimplicialComplexesUnlessClosed) {
  const char* hypergraph = R"({"incidences": [{"edge": 0, "node": 1}, {"edge": 0, "node": 2}]})";
  expect_error(Fault::format, {"n.json", "asc", "close_hypergraph"}, [&] { parse(hypergraph); });
  EXPECT_EQ(parse(hypergraph, true).listed.complex.count(1), 1);
  expect_error(Fault::format, {"asc"}, [] { parse(R"({"network-type": "directed", "incidences": []})"); });
  expect_error(Fault::format, {"network-type", "'tree'"},
               [] { parse(R"({"network-type": "tree", "incidences": []})"); });
  EXPECT_EQ(parse(asc(R"("incidences": [])")).listed.complex.order(), -1);
}

TEST(Hif, BadRecordsSayWhichOne) {
  const auto refuse = [](const std::string& text, std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { parse(asc(text)); });
  };
  refuse(R"("incidences": [{"edge": 0, "node": 1}, {"edge": 0}])", {"n.json: incidences[1]", "no 'node'"});
  refuse(R"("incidences": [{"edge": 0, "node": 1.5}])", {"incidences[0]", "string or an integer", "a float"});
  refuse(R"("incidences": [{"edge": 0, "node": null}])", {"null"});
  refuse(R"("incidences": [5])", {"incidences[0]", "JSON object"});
  refuse(R"("incidences": [[0, 1]])", {"JSON object"});
  refuse(R"("incidences": {"edge": 0})", {"'incidences' must be a list"});
  refuse(R"("incidences": 3)", {"'incidences' must be a list"});
  refuse(R"("incidences": [], "nodes": [{"node": 1}, {"node": 1}])", {"nodes[1]", "twice"});
  refuse(R"("incidences": [], "nodes": [{"node": 1}, {"node": "1"}])",
         {"nodes[1]", "string and as an integer"});
  refuse(R"("incidences": [], "nodes": [{"node": 1, "weight": "x"}])", {"nodes[0]", "weight"});
  refuse(R"("incidences": [], "edges": [{"edge": "e"}])", {"'e'", "no nodes"});
  refuse(R"("incidences": [{"edge": 0, "node": 1}, {"edge": 0, "node": 1}])", {"must differ", "(1 1)"});
  refuse(R"("nodes": [])", {"'incidences'"});
}

TEST(Hif, WhatIsNoJsonSaysWhere) {
  expect_error(Fault::format, {"n.json", "not valid JSON", "line 2"},
               [] { parse("{\n  \"incidences\": [,]}"); });
  expect_error(Fault::format, {"n.json", "JSON object"}, [] { parse("[1, 2]"); });
  expect_error(Fault::format, {"not valid JSON"}, [] { parse(""); });
  expect_error(Fault::format, {"not valid JSON"},
               [] { parse(asc("\"incidences\": [{\"edge\": 0, \"node\": \"\xff\"}]")); });
}

TEST(Hif, DeepNestingIsNoProblem) {
  const std::string open(100000, '['), close(100000, ']');
  EXPECT_EQ(parse(asc("\"metadata\": " + open + close + ", \"incidences\": []")).listed.complex.order(), -1);
  EXPECT_EQ(parse(asc("\"incidences\": [], \"nodes\": [{\"node\": 1, \"attrs\": " + open + close + "}]"))
                .listed.complex.count(0),
            1);
}

TEST(Hif, WrittenFilesReadBack) {
  ComplexFile file{
      parse_simplices("b\n4\n\"a \"\"q\"\"\"\nb 4\n\"a \"\"q\"\"\" é\n4 b é\nb 4 é x\n", "s").listed, {}};
  file.values.resize(4);
  file.values[1] = {2, 1, {0.1, std::nan("")}, {"weight"}, {}, 0};
  const ComplexFile back = parse(print_hif(file));
  EXPECT_EQ(back.listed.labels, file.listed.labels);
  EXPECT_EQ(back.listed.complex, file.listed.complex);
  for (int k = 0; k <= 3; ++k) EXPECT_EQ(back.listed.list(k).vertices, file.listed.list(k).vertices);
  EXPECT_EQ(back.values[1].values[0], 0.1);
  EXPECT_TRUE(std::isnan(back.values[1].values[1]));
  EXPECT_EQ(print_hif(back), print_hif(file));
  EXPECT_EQ(parse(print_hif(ComplexFile{})).listed.complex.order(), -1);
}

TEST(Hif, WhatJsonCannotHoldIsRefused) {
  ListBuilder bytes("s", "line");
  bytes.add(std::string_view("\xff"));
  bytes.end_simplex(1);
  ComplexFile no_text{bytes.build(Repeats::merge, {}), {}};
  no_text.values.resize(1);
  expect_error(Fault::argument, {"UTF-8"}, [&] { print_hif(no_text); });
  ComplexFile file = parse_simplices("a b\n", "s");
  file.values[1] = {1, 1, {INFINITY}, {}, {}, 0};
  expect_error(Fault::argument, {"finite"}, [&] { print_hif(file); });
  file.values[1] = {2, 1, {1, 2}, {}, {}, 0};
  expect_error(Fault::argument, {"order 1 has 1 simplices", "[2, 1]"}, [&] { print_hif(file); });
}

}  // namespace
}  // namespace gsan
