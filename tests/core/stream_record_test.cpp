#include "gsan/core/stream_record.h"

#include <thread>

#include <gtest/gtest.h>

namespace gsan {
namespace {

RandomStream deep(const RandomStream& first) {
  return first.substream("attention").substream(2).substream("upper").substream(std::uint64_t{0});
}

TEST(StreamRecord, ThePathOfAStreamLeadsToTheSameOneOfAnotherFirst) {
  const RandomStream first(1, "dropout"), other(2, "dropout");
  std::uint64_t key = 0;
  std::optional<StreamPath> path, nowhere;
  {
    const StreamRecord record;
    key = deep(first).key();
    path = record.path(first.key(), key);
    nowhere = record.path(other.key(), key);
  }
  ASSERT_TRUE(path);
  EXPECT_EQ(path->size(), 4U);
  EXPECT_FALSE(nowhere);
  EXPECT_EQ(follow(first, *path).key(), key);
  EXPECT_EQ(follow(other, *path).key(), deep(other).key());
  EXPECT_TRUE(StreamRecord().path(first.key(), first.key())->empty());
}

TEST(StreamRecord, RemembersWhatOtherThreadsDeriveAndNothingBeforeIt) {
  const RandomStream first(1, "dropout");
  const std::uint64_t before = first.substream("before").key();
  const StreamRecord record;
  std::uint64_t key = 0;
  std::thread([&] { key = first.substream("thread").key(); }).join();
  EXPECT_TRUE(record.path(first.key(), key));
  EXPECT_FALSE(record.path(first.key(), before));
}

}  // namespace
}  // namespace gsan
