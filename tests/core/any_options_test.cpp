#include "gsan/core/any_options.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

struct Sample {
  int width = 3;
  double rate = 0.5;
  int fixed = 7;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("width", self.width, "columns");
    visit("rate", self.rate, "per step");
    visit("fixed", self.fixed, "set by others");
  }
  std::vector<std::string> faults() const {
    return width > 0 ? std::vector<std::string>{} : std::vector<std::string>{"width must be positive"};
  }
};

TEST(AnyOptions, KeysValuesAndFaultsAreThoseOfTheStruct) {
  AnyOptions options(Sample{}, {"fixed"});
  ConfigSchema schema;
  options.add_keys(schema, "data.");
  EXPECT_EQ(schema.keys().size(), 2U);
  options.take(parse_config(schema, "data: {width: 0}", "run.yaml"), "data.");
  EXPECT_EQ(options.as<Sample>().width, 0);
  EXPECT_EQ(options.as<Sample>().fixed, 7);
  std::vector<std::string> faults;
  options.add_faults(faults, "data.");
  EXPECT_EQ(faults, std::vector<std::string>{"data.width must be positive"});
  EXPECT_EQ(options.describe(), "width=0");
  EXPECT_EQ(options.map().at("fixed"), "7");
  options.set({{"width", "4"}, {"fixed", "8"}}, "here");
  EXPECT_EQ(options.as<Sample>().fixed, 8);
  expect_error(Fault::argument, {"here", "'widht'", "'width'"}, [&] {
    options.set({{"widht", "4"}}, "here");
  });
}

TEST(AnyOptions, ACopyIsAnotherValue) {
  AnyOptions one = Sample{};
  const AnyOptions other = one;
  one.as<Sample>().width = 9;
  EXPECT_EQ(other.as<Sample>().width, 3);
  EXPECT_TRUE(AnyOptions().map().empty());
  EXPECT_THROW(AnyOptions().as<Sample>(), Error);
}

}  // namespace
}  // namespace gsan
