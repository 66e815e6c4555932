#include "gsan/core/check.h"

#include <gtest/gtest.h>

namespace gsan {
namespace {

TEST(Check, MessageHoldsTheValuesAndTheFault) {
  try {
    const int rows = 40;
    GSAN_CHECK(rows == 42, "Incidence: x must have ", 42, " rows, got ", rows);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::argument);
    EXPECT_STREQ(error.what(), "Incidence: x must have 42 rows, got 40");
  }
}

TEST(Check, PartsAreNotEvaluatedWhenTheRuleHolds) {
  int evaluated = 0;
  GSAN_CHECK(true, ++evaluated);
  EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace gsan
