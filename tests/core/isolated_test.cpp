#include "gsan/core/isolated.h"

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

TEST(Isolated, GivesWhatTheWorkReturns) {
  EXPECT_EQ(run_isolated("a", 10, [] { return std::string("x\0y", 3); }), std::string("x\0y", 3));
  EXPECT_EQ(run_isolated("a", 10, [] { return std::string(3'000'000, 'z'); }).size(), 3'000'000u);
  EXPECT_EQ(run_isolated("a", 10, [] { return std::string(); }), "");
}

TEST(Isolated, ErrorsKeepTheirFaultAndTheirWords) {
  expect_error(Fault::numeric, {"seven"},
               [] { run_isolated("a", 10, []() -> std::string { fail(Fault::numeric, "seven"); }); });
  expect_error(Fault::format, {"odd"},
               [] { run_isolated("a", 10, []() -> std::string { throw std::runtime_error("odd"); }); });
}

TEST(Isolated, ACrashIsAnErrorThatNamesTheFile) {
  testing::internal::CaptureStderr();
  expect_error(Fault::format, {"a.jld2", "damaged"}, [] {
    run_isolated("a.jld2", 10, []() -> std::string {
      std::fputs("nobody reads this\n", stderr);
      std::raise(SIGSEGV);
      return "";
    });
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Isolated, WorkWithoutAnEndIsGivenUp) {
  expect_error(Fault::format, {"a.jld2", "too long"}, [] {
    run_isolated("a.jld2", 1, []() -> std::string {
      for (volatile unsigned i = 0;;) i = i + 1;
    });
  });
}

}  // namespace
}  // namespace gsan
