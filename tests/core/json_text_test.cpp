#include "gsan/core/json_text.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

TEST(JsonText, BracketsAreNested64DeepAtMost) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_EQ(checked_json(nested(64), "a.json"), nested(64));
  expect_error(Fault::format, {"a.json", "byte 64", "deeper than 64"},
               [&] { checked_json(nested(65), "a.json"); });
  expect_error(Fault::format, {"deeper"}, [&] { checked_json(nested(1'000'000), "a.json"); });
}

TEST(JsonText, BracketsInTextsDoNotCount) {
  const std::string text = "[\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"]";
  EXPECT_EQ(checked_json(text, "a.json"), text);
}

TEST(JsonText, ErrorsOfTheParserAreToldWithoutTheNameOfTheException) {
  EXPECT_EQ(json_reason("[json.exception.out_of_range.403] key 'a\x1b' not found"), "key 'a\\x1b' not found");
  EXPECT_EQ(json_reason("something else"), "something else");
}

}  // namespace
}  // namespace gsan
