#include "gsan/core/config_text.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

ConfigSchema schema() {
  ConfigSchema schema;
  schema.add("task", "walk", "what");
  schema.add("model.name", "gsan", "which");
  schema.add("model.heads", 1, "how many", at_least(1));
  schema.add("train.epochs", 10, "how long", at_least(1));
  return schema;
}

std::int64_t heads(const ConfigText& text) {
  const ReadConfig read = text.read(schema());
  EXPECT_EQ(read.faults, std::vector<std::string>{});
  return read.config.get<std::int64_t>("model.heads");
}

TEST(ConfigText, LaterDocumentsWinKeyByKeyAndOverridesWinOverAll) {
  ConfigText text;
  text.add_document("model: {name: san, heads: 2}\ntrain: {epochs: 5}", "a");
  text.add_document("model.heads: 3", "b");
  EXPECT_EQ(heads(text), 3);
  EXPECT_EQ(text.text("model.name"), "san");
  text.add_override("model.heads=4");
  EXPECT_EQ(heads(text), 4);
  EXPECT_EQ(text.text("train.epochs"), "5");
  EXPECT_EQ(text.text("seed"), std::nullopt);
}

TEST(ConfigText, WhatADocumentExtendsComesBeforeIt) {
  const std::map<std::string, std::string> files{{"base", "model.heads: 2\ntrain.epochs: 7"},
                                                 {"middle", "extends: base\nmodel.heads: 3"},
                                                 {"circle", "extends: circle"}};
  ConfigText text([&](const std::string& name, const std::string&) {
    return ConfigText::Document{files.at(name), name};
  });
  text.add_document("extends: middle\nmodel: {name: san}", "mine");
  EXPECT_EQ(heads(text), 3);
  EXPECT_EQ(text.text("train.epochs"), "7");
  expect_error(Fault::format, {"extend each other"}, [&] { text.add_document("extends: circle", "mine"); });
}

TEST(ConfigText, BlocksCountWhereEveryConditionHolds) {
  const char* recipe =
      "model: {heads: 1}\n"
      "when:\n"
      "  - if: {model: [gsan*, gsccn], data: flow}\n"
      "    model.heads: 8\n"
      "  - if: {model: san}\n"
      "    model: {heads: 5}\n";
  const auto of = [&](const char* model, const char* data) {
    ConfigText text;
    text.add_document(recipe, "recipe");
    text.choose({{"model", model}, {"data", data}});
    return heads(text);
  };
  EXPECT_EQ(of("gsan", "flow"), 8);
  EXPECT_EQ(of("gsan-joint", "flow"), 8);
  EXPECT_EQ(of("gsccn", "flow"), 8);
  EXPECT_EQ(of("gsan", "ocean"), 1);
  EXPECT_EQ(of("san", "flow"), 5);
  EXPECT_EQ(of("sanx", "flow"), 1);
  ConfigText text;
  text.add_document(recipe, "recipe");
  text.add_document("model.heads: 2", "mine");
  text.choose({{"model", "san"}, {"data", "flow"}});
  EXPECT_EQ(heads(text), 2) << "a later document wins over the blocks of an earlier one";
}

TEST(ConfigText, ABlockCannotSetWhatConditionsDependOn) {
  ConfigText text;
  text.add_document("when:\n  - if: {model: gsan}\n    model.name: san\n", "f");
  text.choose({{"model", "gsan"}}, {"model.name"});
  const std::vector<std::string> faults = text.read(schema()).faults;
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NE(faults[0].find("f:3: a block of `when` cannot set 'model.name'"), std::string::npos) << faults[0];
}

TEST(ConfigText, AliasesOfAliasesEnd) {
  std::string laugh = "a0: &a0 {x: 1, y: 2}\n";
  for (int i = 1; i <= 8; ++i) {
    laugh += concat("a", i, ": &a", i, " {");
    for (int k = 0; k < 10; ++k) laugh += concat(k > 0 ? ", " : "", "k", k, ": *a", i - 1);
    laugh += "}\n";
  }
  ConfigText text;
  expect_error(Fault::format, {"more than 10000 keys"}, [&] { text.add_document(laugh, "f"); });
}

TEST(ConfigText, FaultsNameTheirPlaces) {
  ConfigText text;
  text.add_document(
      "model: {head: 2}\ntrain: {epochs: {a: 1}}\nwhen:\n  - if: {moon: full}\n    model.heads: 3\n", "f");
  text.add_override("model=3");
  text.choose({{"model", "gsan"}});
  const std::vector<std::string> faults = text.read(schema()).faults;
  ASSERT_EQ(faults.size(), 4U);
  EXPECT_NE(faults[0].find("f:4: a condition is on one of model; got 'moon'"), std::string::npos)
      << faults[0];
  EXPECT_NE(faults[1].find("f:1: unknown key 'model.head'; did you mean 'model.heads'?"), std::string::npos);
  EXPECT_NE(faults[2].find("f:2: 'train.epochs' must be"), std::string::npos) << faults[2];
  EXPECT_NE(faults[3].find("'model' is a section"), std::string::npos) << faults[3];
}

TEST(ConfigText, EscapeSequencesOfInputAreNotPartOfMessages) {
  ConfigText text;
  text.add_document("\"model.h\\e[31meads\": 3\ntrain.epochs: \"\\e[2Jmany\"\ntask: [\"\\e\"]\n", "a.yaml");
  text.add_override("model.heads=\x1b[5m");
  const ReadConfig read = text.read(schema());
  EXPECT_GE(read.faults.size(), 3u);
  for (const std::string& fault : read.faults) {
    EXPECT_EQ(fault.find('\x1b'), std::string::npos) << fault;
    EXPECT_NE(fault.find("\\x1b"), std::string::npos) << fault;
  }
}

}  // namespace
}  // namespace gsan
