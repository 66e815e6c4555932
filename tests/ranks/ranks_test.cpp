#include "gsan/ranks/ranks.h"

#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

class RankGroups : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_ranks(); !why.empty()) GTEST_SKIP() << why;
  }

  // Every rank is a thread; what it throws, by rank.
  static std::vector<std::string> run(
      int size, const std::function<void(Ranks&)>& work,
      const std::function<std::string(int)>& version = [](int) { return "1"; }) {
    const RankServer store;
    std::vector<std::string> errors(static_cast<std::size_t>(size));
    std::vector<std::thread> threads;
    for (int r = 0; r < size; ++r)
      threads.emplace_back([&, r] {
        try {
          Ranks ranks({.rank = r, .local_rank = r, .size = size, .port = store.port(), .has_agent = true},
                      {.version = version(r)});
          work(ranks);
          ranks.leave();
        } catch (const Error& error) {
          errors[static_cast<std::size_t>(r)] = error.what();
        }
      });
    for (std::thread& thread : threads) thread.join();
    return errors;
  }
};

TEST_F(RankGroups, BytesAndTextsArriveInTheOrderOfRanks) {
  for (const int size : {1, 2, 3}) {
    const auto errors = run(size, [&](Ranks& ranks) {
      const auto own = static_cast<std::byte>(10 + ranks.rank());
      const std::vector<std::byte> all = ranks.all_gather(std::span(&own, 1));
      ASSERT_EQ(all.size(), static_cast<std::size_t>(size));
      for (int r = 0; r < size; ++r)
        EXPECT_EQ(all[static_cast<std::size_t>(r)], static_cast<std::byte>(10 + r));
      const auto texts = ranks.all_gather_texts(std::string(static_cast<std::size_t>(ranks.rank()), 'x'));
      for (int r = 0; r < size; ++r)
        EXPECT_EQ(texts[static_cast<std::size_t>(r)], std::string(static_cast<std::size_t>(r), 'x'));
      EXPECT_EQ(ranks.broadcast(ranks.is_first() ? "hello" : "ignored"), "hello");
      EXPECT_TRUE(ranks.any(ranks.rank() == size - 1));
      EXPECT_FALSE(ranks.any(false));
    });
    for (const std::string& error : errors) EXPECT_EQ(error, "");
  }
}

TEST_F(RankGroups, WhatDiffersIsNamedOnEveryRank) {
  const auto errors =
      run(3, [](Ranks& ranks) { ranks.require_same("the config", ranks.rank() == 2 ? "b" : "a"); });
  for (const std::string& error : errors)
    EXPECT_NE(error.find("the config of rank 2 on " + host_name() + " is not that of rank 0"),
              std::string::npos)
        << error;
}

TEST_F(RankGroups, AnotherVersionIsRefused) {
  const auto errors = run(
      2, [](Ranks&) {}, [](int rank) { return concat("gsan ", rank); });
  for (const std::string& error : errors)
    EXPECT_NE(error.find("rank 1 on " + host_name() + " runs gsan 1"), std::string::npos) << error;
}

}  // namespace
}  // namespace gsan
