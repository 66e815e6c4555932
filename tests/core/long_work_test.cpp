#include "gsan/core/long_work.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gsan {
namespace {

struct Heard : LongWorkListener {
  void on_begin(const LongWork& work) override { events.push_back("begin " + work.name()); }
  void on_end(const LongWork& work) override { events.push_back("end " + work.name()); }
  std::vector<std::string> events;
};

struct Listening {
  explicit Listening(LongWorkListener& listener) { listen_to_long_work(&listener); }
  ~Listening() { listen_to_long_work(nullptr); }
};

TEST(LongWork, ListenerHearsNestedWorkInOrder) {
  Heard heard;
  {
    const Listening listening(heard);
    const LongWork outer("outer");
    const LongWork inner("inner");
  }
  EXPECT_EQ(heard.events, (std::vector<std::string>{"begin outer", "begin inner", "end inner", "end outer"}));
  const LongWork unheard("unheard");
  EXPECT_EQ(heard.events.size(), 4U);
}

TEST(LongWork, IsHeardInItsOwnThreadOnly) {
  Heard heard;
  const Listening listening(heard);
  std::thread([] { const LongWork elsewhere("elsewhere"); }).join();
  EXPECT_TRUE(heard.events.empty());
}

TEST(LongWork, ShareLiesBetweenZeroAndOneOrIsUnknown) {
  LongWork known("known", 8), unknown("unknown");
  EXPECT_EQ(known.share(), 0);
  known.reach(2);
  EXPECT_EQ(known.share(), 0.25);
  known.reach(9);
  EXPECT_EQ(known.share(), 1);
  known.reach(-1);
  EXPECT_EQ(known.share(), 0);
  unknown.reach(3);
  EXPECT_LT(unknown.share(), 0);
}

}  // namespace
}  // namespace gsan
