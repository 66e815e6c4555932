#include "gsan/core/quoted.h"

#include <gtest/gtest.h>

namespace gsan {
namespace {

TEST(Quoted, WhatATerminalObeysIsEscaped) {
  EXPECT_EQ(in_quotes("\x1b[31mred\n"), "'\\x1b[31mred\\x0a'");
  EXPECT_EQ(escaped("a\x1b[2J\nb\x7f"), "a\\x1b[2J\nb\\x7f");
  EXPECT_EQ(escaped("\xc2\x9b"
                    "31m"),
            "\\xc2\\x9b31m");  // CSI as one character of C1
  EXPECT_EQ(escaped("Zürich 東京 \xc2\xa0"), "Zürich 東京 \xc2\xa0");
}

TEST(Quoted, LongTextIsCutBetweenCharacters) {
  const std::string text = std::string(59, 'a') + "ü" + "b";
  EXPECT_EQ(in_quotes(text), "'" + std::string(59, 'a') + "ü…'");
}

TEST(Quoted, OnlyTheShortestFormsOfUnicodeAreUtf8) {
  EXPECT_EQ(find_invalid_utf8("plain Århus 東 \xf0\x9f\x90\xa6"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("Z\xfcrich"), 1u);         // latin1
  EXPECT_EQ(find_invalid_utf8("a\xc0\x80"), 1u);         // two bytes for U+0000
  EXPECT_EQ(find_invalid_utf8("\xe0\x80\xaf"), 0u);      // three bytes for '/'
  EXPECT_EQ(find_invalid_utf8("\xed\xa0\x80"), 0u);      // a surrogate of UTF-16
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u);  // beyond U+10FFFF
  EXPECT_EQ(find_invalid_utf8("ab\xe6\x9d"), 2u);        // cut within a character
}

}  // namespace
}  // namespace gsan
