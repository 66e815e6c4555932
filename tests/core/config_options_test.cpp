#include "gsan/core/config_options.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

enum class Shade { dark, light };

struct Taps {
  int own = 2;
  std::vector<int> list{1, 2};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("own", self.own, "own taps");
    visit("list", self.list, "some numbers");
  }
};

struct Sample {
  bool flag = true;
  double rate = 0.5;
  std::string text = "a: b";
  Shade shade = Shade::light;
  std::vector<double> numbers{};
  Taps lower{}, upper{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("flag", self.flag, "a flag");
    visit("rate", self.rate, "a rate");
    visit("text", self.text, "a text");
    visit("shade", self.shade, "a shade");
    visit("numbers", self.numbers, "numbers");
    visit("lower", self.lower);
    visit("upper", self.upper);
  }
  std::vector<std::string> faults() const {
    if (rate > 0) return {};
    return {concat("rate must be positive, got ", rate)};
  }
};

}  // namespace

template <>
struct EnumNames<Shade> {
  static constexpr std::pair<Shade, std::string_view> names[] = {{Shade::dark, "dark"},
                                                                 {Shade::light, "light"}};
};

namespace {

TEST(ConfigOptions, EveryOptionIsAKeyWithDefaultChoicesAndHelp) {
  ConfigSchema schema;
  add_options(schema, "x.", Sample{});
  ASSERT_EQ(schema.keys().size(), 9U);
  EXPECT_EQ(schema.keys().at("x.shade").requirement(), "text, one of dark, light");
  EXPECT_EQ(schema.keys().at("x.lower.own").requirement(), "an integer");
  EXPECT_EQ(schema.keys().at("x.lower.own").help, "own taps");
  EXPECT_EQ(to_text(schema.keys().at("x.lower.list").value), "[1, 2]");
  const Config config =
      parse_config(schema, "x: {rate: 2, shade: dark, upper: {own: 7, list: []}}", "c.yaml");
  const Sample taken = take_options(config, "x.", Sample{});
  EXPECT_EQ(describe(taken), "rate=2, shade=dark, upper.own=7, upper.list=[]");
}

TEST(ConfigOptions, SkippedOptionsAreNoKeysAndKeepTheirValues) {
  ConfigSchema schema;
  const SkippedOptions skipped = {"flag", "lower", "upper.list"};
  add_options(schema, "x.", Sample{}, skipped);
  EXPECT_FALSE(schema.keys().contains("x.flag"));
  EXPECT_FALSE(schema.is_section("x.lower"));
  EXPECT_TRUE(schema.keys().contains("x.upper.own"));
  Sample start;
  start.flag = false;
  start.lower.own = 9;
  const Sample taken = take_options(Config(schema), "x.", start, skipped);
  EXPECT_FALSE(taken.flag);
  EXPECT_EQ(taken.lower.own, 9);
}

TEST(ConfigOptions, ANumberThatAnIntCannotHoldIsAFault) {
  ConfigSchema schema;
  add_options(schema, "", Sample{});
  expect_error(Fault::argument, {"lower.own", "an integer, got '3000000000'", "too large"},
               [&] { parse_config(schema, "", "", {"lower.own=3000000000"}); });
}

TEST(ConfigOptions, FaultsOfTheTextAndOfTheOptionsComeTogether) {
  ConfigSchema schema;
  add_options(schema, "x.", Sample{});
  ReadConfig read = read_config(schema, "x: {rate: -1, shade: blue}", "c.yaml", {"x.flg=true"});
  EXPECT_EQ(read.faults.size(), 2U);
  add_faults(read.faults, "x.", take_options(read.config, "x.", Sample{}));
  expect_error(Fault::argument,
               {"3 faults", "c.yaml:1: 'x.shade' must be text, one of dark, light, got 'blue'",
                "did you mean 'x.flag'", "x.rate must be positive, got -1"},
               [&] { report_config(read.faults); });
}

}  // namespace
}  // namespace gsan
