#include "gsan/data/formats/text/number.h"

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gsan/core/random.h"

namespace gsan {
namespace {

std::string printed(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

TEST(Number, WrittenNumbersReadBackToTheSameBits) {
  RandomStream random(1, "bits");
  std::vector<double> values{0.0,
                             -0.0,
                             0.1,
                             1e308,
                             std::numeric_limits<double>::denorm_min(),
                             std::numeric_limits<double>::max(),
                             -std::numeric_limits<double>::infinity()};
  while (values.size() < 5000) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isnan(value)) values.push_back(value);
  }
  for (const double value : values) {
    const auto read = parse_number(printed(value));
    ASSERT_TRUE(read.has_value()) << printed(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), std::bit_cast<std::uint64_t>(value)) << printed(value);
  }
  EXPECT_EQ(printed(std::nan("")), "nan");
  EXPECT_EQ(printed(-std::nan("")), "nan");
  EXPECT_TRUE(std::isnan(*parse_number("NaN")));
}

TEST(Number, TheWholeTextMustBeANumber) {
  for (const char* text :
       {"", " ", "1 ", " 1", "1x", "0x10", "--1", "+-1", "++1", "1e", "1,5", "one", "1e400", "-"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << "'" << text << "'";
  }
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("1E+3"), 1000.0);
  for (const char* text : {"", "1.0", "9223372036854775808", "1 ", "0x1", "+-1"}) {
    EXPECT_FALSE(parse_integer(text).has_value()) << "'" << text << "'";
  }
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(Number, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name)) break;
  }
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(printed(1.5), "1.5");
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace gsan
