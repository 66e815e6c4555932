#include "gsan/ranks/rank_place.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

class RankPlaces : public testing::Test {
 protected:
  void SetUp() override { forget(); }
  void TearDown() override { forget(); }
  static void forget() {
    for (const auto& [name, value] : environment_of({})) ::unsetenv(name.c_str());
  }
  static void say(const RankPlace& place) {
    for (const auto& [name, value] : environment_of(place)) ::setenv(name.c_str(), value.c_str(), 1);
  }
};

TEST_F(RankPlaces, AProcessByItselfHasNone) { EXPECT_FALSE(rank_place()); }

TEST_F(RankPlaces, WhatALauncherSaysIsRead) {
  say({.rank = 2,
       .local_rank = 1,
       .size = 3,
       .address = "node1",
       .port = 29501,
       .has_agent = true,
       .restarts = 4});
  const RankPlace place = rank_place().value();
  EXPECT_EQ(place.rank, 2);
  EXPECT_EQ(place.local_rank, 1);
  EXPECT_EQ(place.size, 3);
  EXPECT_EQ(place.address, "node1");
  EXPECT_EQ(place.port, 29501);
  EXPECT_TRUE(place.has_agent);
  EXPECT_EQ(place.restarts, 4);
}

TEST_F(RankPlaces, AVariableThatIsMissingOrWrongIsNamed) {
  say({.rank = 3, .size = 3, .port = 29501});
  try {
    rank_place();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("RANK must be a number from 0 to 2, got '3'"), std::string::npos)
        << error.what();
  }
  say({.rank = 1, .size = 3, .port = 29501});
  ::unsetenv("MASTER_PORT");
  EXPECT_THROW(rank_place(), Error);
}

TEST_F(RankPlaces, VariablesOfRanksAreKnown) {
  EXPECT_TRUE(says_rank("RANK=1"));
  EXPECT_TRUE(says_rank("MASTER_ADDR"));
  EXPECT_FALSE(says_rank("RANKS=1"));
}

}  // namespace
}  // namespace gsan
