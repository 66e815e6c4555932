#include "gsan/core/options.h"

#include <gtest/gtest.h>

namespace gsan {

enum class Fruit { apple, pear };
template <>
struct EnumNames<Fruit> {
  static constexpr std::pair<Fruit, std::string_view> names[] = {{Fruit::apple, "apple"},
                                                                 {Fruit::pear, "pear"}};
};

namespace {

struct Inner {
  int count = 1;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("count", self.count);
  }
};

struct Outer {
  bool flag = false;
  double rate = 0.1;
  std::string name = "a b";
  std::vector<int> orders;
  std::vector<double> weights;
  Fruit fruit = Fruit::apple;
  Inner inner;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("flag", self.flag);
    visit("rate", self.rate);
    visit("name", self.name);
    visit("orders", self.orders);
    visit("weights", self.weights);
    visit("fruit", self.fruit);
    visit("inner", self.inner);
  }
};

std::string message_of(const OptionMap& map) {
  try {
    from_map<Outer>(map, "Outer");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, ReadBackWhatTheyWrite) {
  Outer options{true, 1.0 / 3, "with = and, comma", {0, 2}, {0.1, 1e-300}, Fruit::pear, {7}};
  const OptionMap map = to_map(options);
  EXPECT_EQ(map.at("inner.count"), "7");
  EXPECT_EQ(map.at("orders"), "[0, 2]");
  const Outer again = from_map<Outer>(map, "Outer");
  EXPECT_EQ(to_map(again), map);
  EXPECT_EQ(again.rate, 1.0 / 3);
  EXPECT_EQ(again.weights, options.weights);
}

TEST(Options, DescribeOnlyWhatDiffersFromTheDefault) {
  Outer options;
  EXPECT_EQ(describe(options), "");
  options.fruit = Fruit::pear;
  options.inner.count = 3;
  EXPECT_EQ(describe(options), "fruit=pear, inner.count=3");
}

TEST(Options, ReportEveryFaultAtOnce) {
  const std::string text = message_of(
      {{"flag", "yes"}, {"rate", "fast"}, {"fruit", "plum"}, {"inner.cont", "1"}, {"orders", "[1,]"}});
  for (const char* part : {"flag: expected true or false, got 'yes'", "rate: expected a number, got 'fast'",
                           "apple, pear", "did you mean 'inner.count'", "orders: expected an integer"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Options, RefuseNumbersThatDoNotFit) {
  EXPECT_NE(message_of({{"inner.count", "99999999999"}}), "no error");
  EXPECT_NE(message_of({{"inner.count", "1.5"}}), "no error");
  EXPECT_NE(message_of({{"orders", "0, 1"}}), "no error");
  EXPECT_EQ(message_of({{"orders", "[]"}}), "no error");
}

}  // namespace
}  // namespace gsan
