#include "gsan/core/text.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace gsan {
namespace {

TEST(Text, LowerCaseLeavesOtherLettersAlone) {
  EXPECT_EQ(lower_case("Größe-XYZ @[`{ 09"), "größe-xyz @[`{ 09");
}

TEST(Text, TrimmedPointsIntoTheTextWithoutItsBlanks) {
  const std::string text = " \t one two\t ";
  EXPECT_EQ(trimmed(text), "one two");
  EXPECT_EQ(trimmed(text).data(), text.data() + 3);
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, JoinedHasSeparatorsBetweenItemsOnly) {
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
  EXPECT_EQ(joined(std::vector<std::string>{"", "a", ""}), ", a, ");
  EXPECT_EQ(joined(std::array{1, 2, 3}, " "), "1 2 3");
  EXPECT_EQ(joined(std::array{1, 2}, "; ", [](int i) { return i * i; }), "1; 4");
}

TEST(Text, NumbersForPeople) {
  EXPECT_EQ(show(1.0 / 3), "0.333333");
  EXPECT_EQ(show(12345678), "1.23457e+07");
  EXPECT_EQ(show_bytes(0), "0 B");
  EXPECT_EQ(show_bytes(1023), "1023 B");
  EXPECT_EQ(show_bytes(1536), "1.5 KiB");
  EXPECT_EQ(show_bytes(std::size_t{3} << 40), "3 TiB");
}

TEST(Text, NothingIsNoPartOfNothing) {
  EXPECT_EQ(percent_of(1, 3), 33.3);
  EXPECT_EQ(percent_of(2, 2), 100);
  EXPECT_EQ(percent_of(0, 0), 0);
}

TEST(Text, FirstCharactersNeverCutOne) {
  EXPECT_EQ(first_characters("λ₁ = 2", 2), "λ₁");
  EXPECT_EQ(first_characters("λ₁", 5), "λ₁");
  EXPECT_EQ(first_characters("abc", 0), "");
}

}  // namespace
}  // namespace gsan
