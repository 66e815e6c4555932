#include "gsan/core/config.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/temporary_folder.h"

namespace gsan {
namespace {

ConfigSchema example_schema() {
  ConfigSchema schema;
  schema.add("seed", 0, "seed of every stream", at_least(0));
  schema.add("name", "run", "name of the run");
  schema.add("verbose", false, "print more");
  schema.add("model.kind", "gsan", "which network", one_of({"gsan", "gat"}));
  schema.add("model.heads", 4, "attention heads", at_least(1));
  schema.add("model.dropout", 0.5, "share of dropped weights", from_up_to(0, 1));
  schema.add("model.attention.slope", 0.2, "negative slope", positive());
  schema.add("model.widths", std::vector<std::int64_t>{32, 32}, "channels", at_least(1));
  schema.add("train.rates", std::vector<double>{}, "learning rates", positive());
  schema.add("train.tags", std::vector<std::string>{"a"}, "labels");
  return schema;
}

Config parse(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return parse_config(example_schema(), yaml, "run.yaml", overrides);
}

std::string fault_of(const std::string& yaml, const std::vector<std::string>& overrides = {},
                     Fault expected = Fault::argument) {
  try {
    parse(yaml, overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), expected) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error for\n" << yaml;
  return {};
}

TEST(Config, LaterSourcesWin) {
  const Config config = parse("seed: 7\nmodel:\n  heads: 2\n  widths: [8, 16]\n  attention: {slope: 1e-2}\n",
                              {"model.heads=3", "model.heads=5", "train.rates=[1, 0.5]"});
  EXPECT_EQ(config.get<std::int64_t>("seed"), 7);
  EXPECT_EQ(config.get<std::int64_t>("model.heads"), 5);
  EXPECT_EQ(config.get<std::vector<std::int64_t>>("model.widths"), (std::vector<std::int64_t>{8, 16}));
  EXPECT_EQ(config.get<std::vector<double>>("train.rates"), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(config.get<double>("model.attention.slope"), 0.01);
  EXPECT_EQ(config.get<std::string>("model.kind"), "gsan");
}

TEST(Config, EmptyTextsAndNullSectionsAreDefaults) {
  for (const char* yaml : {"", "# nothing\n", "model:\n", "---\n"}) {
    EXPECT_EQ(parse(yaml).get<std::int64_t>("model.heads"), 4) << yaml;
  }
}

TEST(Config, ScalarsAreReadByTheTypeOfTheKey) {
  EXPECT_EQ(parse("seed: 1e6").get<std::int64_t>("seed"), 1000000);
  EXPECT_EQ(parse("seed: 9007199254740993").get<std::int64_t>("seed"), 9007199254740993);
  EXPECT_EQ(parse("name: 12").get<std::string>("name"), "12");
  EXPECT_EQ(parse("", {"name="}).get<std::string>("name"), "");
  EXPECT_EQ(parse("", {"name=a=b"}).get<std::string>("name"), "a=b");
  EXPECT_TRUE(parse("verbose: true").get<bool>("verbose"));
  EXPECT_EQ(parse("model.dropout: 0").get<double>("model.dropout"), 0.0);
}

TEST(Config, UnknownKeyNamesTheNearestAndItsLine) {
  EXPECT_EQ(fault_of("seed: 1\nmodel:\n  head: 2\n"),
            "config: run.yaml:3: unknown key 'model.head'; did you mean 'model.heads'?");
  EXPECT_EQ(fault_of("", {"heads=2"}),
            "config: override 'heads=2': unknown key 'heads'; did you mean 'model.heads'?");
}

TEST(Config, ARefusedKeySaysWhy) {
  ConfigSchema schema = example_schema();
  schema.refuse("model.gates", "it belongs to another model");
  EXPECT_EQ(schema.unknown("model.gates"), "unknown key 'model.gates': it belongs to another model");
  EXPECT_THROW(schema.refuse("model.heads", "it is there"), Error);
}

TEST(Config, EveryFaultIsReportedAtOnce) {
  const std::string message = fault_of(
      "sed: 1\n"
      "model:\n"
      "  kind: gta\n"
      "  heads: 0\n"
      "  dropout: 1\n"
      "  widths: [3, -1]\n"
      "train: 5\n"
      "verbose: maybe\n"
      "seed: \"3\"\n",
      {"model.heads", "model=3", "train.rates=[1, .nan]", "name=[", "seed=1.5"});
  for (const char* part :
       {"config: 13 faults", "run.yaml:1: unknown key 'sed'; did you mean 'seed'?",
        "run.yaml:3: 'model.kind' must be text, one of gsan, gat, got 'gta'",
        "run.yaml:4: 'model.heads' must be an integer >= 1, got '0'",
        "run.yaml:5: 'model.dropout' must be a number >= 0 and < 1, got '1'",
        "run.yaml:6: 'model.widths' must be a list of integers >= 1, got [3, -1]",
        "run.yaml:7: 'train' is a section of keys, got '5'",
        "run.yaml:8: 'verbose' must be true or false, got 'maybe'",
        "run.yaml:9: 'seed' must be an integer >= 0, got the text '3'",
        "override 'model.heads': must read key=value", "override 'model=3': 'model' is a section",
        "override 'train.rates=[1, .nan]': 'train.rates' must be a list of numbers > 0",
        "override 'seed=1.5': 'seed' must be an integer"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << "\nis not in\n" << message;
  }
}

TEST(Config, AKeyGivenTwiceIsAFault) {
  EXPECT_NE(fault_of("seed: 1\nseed: 2\n").find("run.yaml:2: key 'seed' is given twice"), std::string::npos);
}

TEST(Config, NoYamlIsAFormatFaultWithItsLine) {
  EXPECT_NE(fault_of("seed: 1\nmodel: {heads: 2\n", {}, Fault::format).find("run.yaml:"), std::string::npos);
  EXPECT_NE(fault_of("seed: 1\n\tname: x\n", {}, Fault::format).find("run.yaml:2: not valid YAML"),
            std::string::npos);
  EXPECT_NE(fault_of("- 1\n- 2\n", {}, Fault::format).find("map of keys"), std::string::npos);
  EXPECT_NE(fault_of("seed: 1\n---\nseed: 2\n", {}, Fault::format)
                .find("run.yaml:2: a config is one YAML document"),
            std::string::npos);
}

// yaml-cpp's LoadAll does not move past such a character, and never ends.
TEST(Config, AStrayCommaIsAFormatFault) {
  EXPECT_NE(fault_of(",", {}, Fault::format).find("run.yaml:1:1: not valid YAML"), std::string::npos);
  for (const char* text : {"--- ,", "seed: 1\n--- ,\n", "a: &a [x]\nb: k\n: v\n--- ,\0|\n text\n}\n"})
    EXPECT_NE(fault_of(text, {}, Fault::format).find("run.yaml:"), std::string::npos) << text;
}

TEST(Config, ADocumentThatContainsItselfEnds) {
  EXPECT_NE(fault_of("model: &m\n  model: *m\n").find("unknown key 'model.model."), std::string::npos);
}

TEST(Config, DumpReadsBackTheSame) {
  Config config = parse("name: \"a \\\"b\\\": \\\\ # é\\n\"\nmodel: {dropout: 0.1, widths: []}",
                        {"train.tags=[x, 'true', '1']", "verbose=true"});
  config.set("train.rates", std::vector<double>{1e-300, 1.0 / 3});
  const std::string yaml = config.to_yaml();
  const Config again = parse(yaml);
  for (const auto& [name, key] : config.schema().keys())
    EXPECT_EQ(config.value(name), again.value(name)) << yaml;
  EXPECT_EQ(again.to_yaml(), yaml);
  EXPECT_NE(yaml.find("model:\n  attention:\n    slope: 0.2\n  dropout: 0.1\n"), std::string::npos) << yaml;
}

TEST(Config, LoadsAFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "run.yaml", "seed: 3\n");
  EXPECT_EQ(load_config(example_schema(), folder / "run.yaml").get<std::int64_t>("seed"), 3);
  EXPECT_THROW(load_config(example_schema(), folder / "missing.yaml"), Error);
}

TEST(Config, MistakesInTheProgramAreErrors) {
  Config config(example_schema());
  EXPECT_THROW(config.get<double>("seed"), Error);
  EXPECT_THROW(config.get<double>("sed"), Error);
  EXPECT_THROW(config.set("model.heads", 0), Error);
  EXPECT_THROW(config.set("model.heads", 1.5), Error);
  ConfigSchema schema = example_schema();
  EXPECT_THROW(schema.add("seed", 1, ""), Error);
  EXPECT_THROW(schema.add("model", 1, ""), Error);
  EXPECT_THROW(schema.add("seed.low", 1, ""), Error);
  EXPECT_THROW(schema.add("a..b", 1, ""), Error);
  EXPECT_THROW(schema.add("rate", -1.0, "", positive()), Error);
}

TEST(ConfigSchema, DescribesEveryKey) {
  const std::string text = example_schema().describe();
  EXPECT_NE(text.find("model.heads = 4  (an integer >= 1)  attention heads\n"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
}

}  // namespace
}  // namespace gsan
