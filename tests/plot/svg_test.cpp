#include "gsan/plot/svg.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gsan/plot/theme.h"

#include "plot/elements.h"

namespace gsan {
namespace {

TEST(Svg, MarkupInLabelsIsText) {
  EXPECT_EQ(escape_markup("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
  Svg svg(100, 50, "a\"b<c");
  svg.text("text", {{"data-name", "\" onload=\"x"}}, "</text><script>");
  const std::string text = std::move(svg).finish();
  EXPECT_TRUE(test::is_balanced(text));
  EXPECT_FALSE(test::holds(text, "<script"));
  EXPECT_FALSE(test::holds(text, "onload=\""));
}

TEST(Svg, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(escape_markup("Zürich → 東京 😀"), "Zürich → 東京 😀");
  EXPECT_EQ(escape_markup("a\xFF\x62"), "a" + bad + "b");
  EXPECT_EQ(escape_markup("\xC3"), bad);                      // cut off
  EXPECT_EQ(escape_markup("\xC0\xAF"), bad + bad);            // overlong '/'
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), bad + bad + bad);  // a surrogate
  EXPECT_EQ(escape_markup(std::string_view("a\0b\x1b", 4)), "a" + bad + "b" + bad);
  EXPECT_EQ(escape_markup("\xEF\xBF\xBF"), bad + bad + bad);  // U+FFFF, which XML forbids
}

TEST(Svg, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(shortened("üüüü", 4), "üüüü");
  EXPECT_EQ(shortened("üüüü", 3), "üüü…");
  EXPECT_EQ(shortened("", 3), "");
  EXPECT_EQ(shortened_inside("üüäöö", 5), "üüäöö");
  EXPECT_EQ(shortened_inside("üüäöö", 4), "üü…ö");
  EXPECT_NE(shortened_inside("rule on the sums, squares", 12),
            shortened_inside("rule on the sums, products", 12));
}

TEST(Svg, NumbersAreShortOrExact) {
  EXPECT_EQ(short_number(1.0), "1");
  EXPECT_EQ(short_number(10), "10");
  EXPECT_EQ(short_number(-0.001), "0");
  EXPECT_EQ(short_number(12.346), "12.35");
  EXPECT_EQ(exact_number(0.1), "0.1");
  EXPECT_EQ(exact_number(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(std::stod(exact_number(1.0 / 3)), 1.0 / 3);
}

TEST(Theme, PlainColoursHaveNoVariablesLeft) {
  Svg svg(100, 50, "var(--ink without an end");
  const std::string text = std::move(svg).finish(), plain = with_plain_colors(text);
  EXPECT_TRUE(test::holds(text, "var(--ink,#1b1f24)"));
  EXPECT_FALSE(test::holds(plain, "var(--paper"));
  EXPECT_TRUE(test::holds(plain, "fill:#1b1f24"));
  EXPECT_TRUE(test::holds(plain, "var(--ink without an end"));
}

TEST(Theme, TheSequentialMapGoesFromDarkToBright) {
  EXPECT_EQ(sequential_color(0), "#440154");
  EXPECT_EQ(sequential_color(1), "#fde725");
  EXPECT_EQ(sequential_color(7), sequential_color(1));
  EXPECT_EQ(sequential_color(std::nan("")), sequential_color(0));
}

}  // namespace
}  // namespace gsan
