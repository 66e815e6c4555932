#include "gsan/core/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// philox4x32-10 of Random123's kat_vectors.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (RandomBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  EXPECT_EQ(philox({f, f, f, f}, {f, f}), (RandomBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (RandomBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, SequenceIsTheRandomAccessWordByWord) {
  RandomStream stream(7, "test");
  for (std::uint32_t n = 0; n < 6; ++n) {
    const RandomBlock block = stream.at({n / 2, 0, 0, 0});
    const std::size_t half = 2 * (n % 2);
    EXPECT_EQ(stream(), std::uint64_t{block[half + 1]} << 32 | block[half]);
  }
}

// These bits are promised: a stored seed must give the same split in every version.
TEST(RandomStream, BitsAreFixed) {
  RandomStream stream(42, "split");
  EXPECT_EQ(stream.key(), 0x704648d4eb89f35cULL);
  EXPECT_EQ(stream.substream("train").key(), 0xbbdac1be16861e1eULL);
  EXPECT_EQ(stream.substream(3).key(), 0x8a88bd1a61157186ULL);
  EXPECT_EQ(stream(), 0x31cf6059ecc33294ULL);
  EXPECT_EQ(stream.uniform(), 0x1.2e41aed7a7c80p-5);
  EXPECT_EQ(stream.normal(), 0x1.8bf4fac179203p-1);
  EXPECT_EQ(stream.normal(), 0x1.3e6bef3818237p+0);
}

TEST(RandomStream, SeedsNamesAndIndicesGiveDifferentKeys) {
  std::set<std::uint64_t> keys;
  int made = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const char* name : {"", "a", "b", "ab"}) {
      const RandomStream stream(seed, name);
      keys.insert(stream.key());
      keys.insert(stream.substream("a").key());
      for (std::uint64_t i = 0; i < 20; ++i) keys.insert(stream.substream(i).key());
      made += 22;
    }
  }
  EXPECT_EQ(static_cast<int>(keys.size()), made);
}

TEST(RandomStream, SeekResumesEveryDraw) {
  for (int before = 0; before < 5; ++before) {
    RandomStream first(1, "resume");
    for (int i = 0; i < before; ++i) first.normal();
    RandomStream second(1, "resume");
    second.seek(first.position());
    EXPECT_EQ(second.position(), first.position());
    for (int i = 0; i < 9; ++i) EXPECT_EQ(first.normal(), second.normal());
  }
}

TEST(RandomStream, PositionBeyondThirtyTwoBitsUsesTheSecondCounterWord) {
  RandomStream stream(1, "far");
  stream.seek(std::uint64_t{5} << 33);
  const RandomBlock block = stream.at({0, 5, 0, 0});
  EXPECT_EQ(stream(), std::uint64_t{block[1]} << 32 | block[0]);
}

TEST(RandomStream, MomentsOfUniformAndNormal) {
  RandomStream stream(3, "moments");
  const int n = 200000;
  double mean = 0, square = 0, normal_mean = 0, normal_square = 0, normal_fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform(), z = stream.normal();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    mean += u / n;
    square += u * u / n;
    normal_mean += z / n;
    normal_square += z * z / n;
    normal_fourth += z * z * z * z / n;
  }
  // Six standard errors each.
  const double root = 6 / std::sqrt(double{n});
  EXPECT_NEAR(mean, 0.5, root * std::sqrt(1.0 / 12));
  EXPECT_NEAR(square, 1.0 / 3, root * std::sqrt(4.0 / 45));
  EXPECT_NEAR(normal_mean, 0, root);
  EXPECT_NEAR(normal_square, 1, root * std::sqrt(2.0));
  EXPECT_NEAR(normal_fourth, 3, root * std::sqrt(96.0));
}

// The logarithm inside is our own: against libm's polar method on the same draws.
TEST(RandomStream, NormalIsThePolarMethod) {
  RandomStream stream(4, "polar"), copy = stream;
  for (int i = 0; i < 2000; ++i) {
    double u = 0, s = 0;
    do {
      u = 2 * copy.uniform() - 1;
      const double v = 2 * copy.uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double expected = u * std::sqrt(-2 * std::log(s) / s);
    ASSERT_NEAR(stream.normal(), expected, 1e-14 * std::max(1.0, std::abs(expected)));
  }
}

TEST(RandomStream, BelowIsUnbiased) {
  RandomStream stream(5, "below");
  std::vector<int> seen(6);
  for (int i = 0; i < 60000; ++i) ++seen.at(stream.below(6));
  for (const int count : seen) EXPECT_NEAR(count, 10000, 6 * std::sqrt(60000 * 5.0 / 36));
  EXPECT_EQ(stream.below(1), 0u);
  // With n just above 2^63 nearly half of all words must be rejected.
  const std::uint64_t n = (std::uint64_t{1} << 63) + 1;
  const std::uint64_t before = stream.position();
  for (int i = 0; i < 1000; ++i) EXPECT_LT(stream.below(n), n);
  EXPECT_NEAR(static_cast<double>(stream.position() - before), 2000, 6 * std::sqrt(2000.0));
}

TEST(RandomStream, PermutationHoldsEachOnceAndEveryOrderComes) {
  RandomStream stream(6, "permutation");
  std::set<std::vector<int>> orders;
  for (int i = 0; i < 400; ++i) {
    std::vector<int> order = stream.permutation(4);
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  }
  EXPECT_EQ(orders.size(), 24u);
  EXPECT_TRUE(stream.permutation(0).empty());
}

TEST(RandomStream, UniformStaysBelowTheUpperEndAndRejectsNonsense) {
  RandomStream stream(8, "range");
  const double low = 1, high = std::nextafter(1.0, 2.0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(stream.uniform(low, high), low);
  EXPECT_THROW(stream.uniform(2, 1), Error);
  EXPECT_THROW(stream.uniform(0, std::nan("")), Error);
  EXPECT_THROW(stream.below(0), Error);
}

TEST(RandomStream, DrivesTheStandardLibrary) {
  static_assert(std::uniform_random_bit_generator<RandomStream>);
}

}  // namespace
}  // namespace gsan
