#include "gsan/core/json_number.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/expect_error.h"

namespace gsan {
namespace {

using nlohmann::json;

template <class Integer>
Integer read(const std::string& text) {
  return whole_number<Integer>(json::parse(text), "a.json", "epochs");
}

TEST(JsonNumber, EveryNumberThatItsFieldHoldsIsReadExactly) {
  EXPECT_EQ(read<int>("-2147483648"), std::numeric_limits<int>::min());
  EXPECT_EQ(read<int>("2147483647"), std::numeric_limits<int>::max());
  EXPECT_EQ(read<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read<std::int64_t>("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(JsonNumber, ANumberThatItsFieldCannotHoldIsAnErrorWithItsName) {
  const std::string digits(111, '2');
  for (const std::string& text : {std::string("2147483648"), std::string("-2147483649"),
                                  std::string("18446744073709551615"), std::string("1e300"), digits})
    expect_error(Fault::format, {"a.json", "epochs", "whole number", "2147483647"}, [&] { read<int>(text); });
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "-1e300"})
    expect_error(Fault::format, {"a.json", "epochs"}, [&] { read<std::int64_t>(text); });
  for (const char* text : {"-1", "18446744073709551616"})
    expect_error(Fault::format, {"a.json", "epochs"}, [&] { read<std::uint64_t>(text); });
}

TEST(JsonNumber, WhatIsNoWholeNumberIsAnErrorWithWhatItIs) {
  expect_error(Fault::format, {"epochs", "got 1.5"}, [] { read<int>("1.5"); });
  expect_error(Fault::format, {"epochs", "got string"}, [] { read<int>("\"3\""); });
  expect_error(Fault::format, {"epochs", "got null"}, [] { read<int>("null"); });
  expect_error(Fault::format, {"epochs", "got boolean"}, [] { read<int>("true"); });
}

TEST(JsonNumber, AFieldThatIsNotThereHasItsDefault) {
  const json object = json::parse(R"({"epochs": 3, "order": 1e300})");
  EXPECT_EQ(whole_number_or(object, "epochs", -1, "a.json"), 3);
  EXPECT_EQ(whole_number_or(object, "threads", -1, "a.json"), -1);
  expect_error(Fault::format, {"a.json", "order"}, [&] { whole_number_or(object, "order", -1, "a.json"); });
}

}  // namespace
}  // namespace gsan
