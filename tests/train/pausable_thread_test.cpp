#include "gsan/train/pausable_thread.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace gsan {
namespace {

TEST(PausableThreads, TakeTurnsInTheOrderOfTheirCaller) {
  std::string story;
  PausableThread one, other;
  one.start([&] { story += "a", one.pause(), story += "c"; });
  other.start([&] { story += "b", other.pause(), story += "d"; });
  EXPECT_TRUE(one.resume());
  EXPECT_TRUE(other.resume());
  EXPECT_FALSE(one.resume());
  EXPECT_FALSE(other.resume());
  EXPECT_EQ(story, "abcd");
  one.start([&] { story += "e"; });  // another work on the same thread
  EXPECT_FALSE(one.resume());
  EXPECT_FALSE(one.resume());
  EXPECT_EQ(story, "abcde");
}

TEST(PausableThreads, ErrorsComeOutOfResume) {
  PausableThread thread;
  thread.start([] { throw std::runtime_error("no"); });
  EXPECT_THROW(thread.resume(), std::runtime_error);
  thread.start([] {});
  EXPECT_FALSE(thread.resume());
}

TEST(PausableThreads, WhatWaitsIsUnwound) {
  bool is_unwound = false, has_gone_on = false;
  struct AtEnd {
    bool& flag;
    ~AtEnd() { flag = true; }
  };
  {
    PausableThread thread;
    thread.start([&] {
      const AtEnd guard{is_unwound};
      thread.pause();
      has_gone_on = true;
    });
    EXPECT_TRUE(thread.resume());
    EXPECT_FALSE(is_unwound);
  }
  EXPECT_TRUE(is_unwound);
  EXPECT_FALSE(has_gone_on);
}

}  // namespace
}  // namespace gsan
