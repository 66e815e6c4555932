// The kernels of attention by threads, under ThreadSanitizer: rows and stars are shared as the ops share
// them, no number is written by two, and the result has the bits of one thread. The ops themselves, with
// torch, are run by scripts/sanitize.sh.

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "gsan/ops/cpu/attention/pair_attention_kernel.h"
#include "gsan/ops/cpu/attention/star_attention_kernel.h"
#include "gsan/ops/cpu/row_ranges.h"

namespace gsan::ops {
namespace {

constexpr std::int64_t simplices = 600, degree = 11, heads = 2, features = 32, width = heads * features;

template <class T>
std::vector<T> numbers(std::int64_t count, int seed) {
  std::vector<T> x(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>((i * 37 + static_cast<std::size_t>(seed)) % 101) / T(50) - T(1);
  return x;
}

// Attention over pairs, forward and backward, and everything that it reads and writes.
template <class T>
struct PairCase {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> sources;
  std::vector<T> receiver = numbers<T>(simplices * heads, 1), source = numbers<T>(simplices * heads, 2),
                 x = numbers<T>(simplices * width, 3), g = numbers<T>(simplices * width, 4), tops;
  std::vector<T> y, u, state, packed, of_receiver, of_x, of_source, forward_weights, backward_weights;
  std::int64_t stride = simplices * (degree + 1) + 64;
  bool sigmoid = false;
  const PairAttentionKernels<T>& kernels;

  explicit PairCase(const PairAttentionKernels<T>& made) : kernels(made) {
    offsets.push_back(0);
    for (std::int64_t i = 0; i < simplices; ++i) {
      for (std::int64_t n = 0; n < degree; ++n)
        sources.push_back(static_cast<std::int32_t>((i + n * n * 7) % simplices));
      std::sort(sources.end() - degree, sources.end());
      offsets.push_back(std::ssize(sources));
    }
    for (std::int64_t h = 0; h < heads; ++h) {
      tops.push_back(source[static_cast<std::size_t>(h)]);
      for (std::int64_t i = 0; i < simplices; ++i)
        tops.back() = std::max(tops.back(), source[static_cast<std::size_t>(i * heads + h)]);
    }
    for (auto* of_width : {&y, &u, &of_x}) of_width->resize(simplices * width);
    for (auto* of_heads : {&of_receiver, &of_source}) of_heads->resize(simplices * heads);
    for (auto* of_four : {&state, &packed}) of_four->resize(simplices * heads * 4);
    for (auto* weights : {&forward_weights, &backward_weights})
      weights->resize(static_cast<std::size_t>(2 * heads * stride));
  }

  AttentionPairs<T> list() const {
    return {offsets.data(),
            sources.data(),
            std::ssize(sources),
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            {receiver.data(), heads},
            {source.data(), heads},
            tops.data(),
            heads,
            features,
            T(0.2),
            sigmoid};
  }

  // share(work(begin, end, scratch)) covers all rows.
  template <class Share>
  void run(const Share& share) {
    AttentionForward<T> forward{list(),
                                {forward_weights.data(), stride},
                                {x.data(), width},
                                {},
                                y.data(),
                                u.data(),
                                state.data(),
                                true,
                                false,
                                false,
                                false};
    share([&](T* scratch, std::int64_t b, std::int64_t e) { kernels.forward(forward, scratch, b, e); });
    const AttentionRows<T> rows{{g.data(), width},
                                {y.data(), width},
                                {},
                                u.data(),
                                state.data(),
                                packed.data(),
                                of_receiver.data(),
                                heads,
                                features,
                                T(0.2),
                                sigmoid,
                                false};
    share([&](T*, std::int64_t b, std::int64_t e) { kernels.rows(rows, b, e); });
    const AttentionColumns<T> columns{list(),
                                      {backward_weights.data(), stride},
                                      {g.data(), width},
                                      {x.data(), width},
                                      packed.data(),
                                      {of_x.data(), width},
                                      of_source.data(),
                                      true,
                                      false,
                                      false};
    share([&](T* scratch, std::int64_t b, std::int64_t e) { kernels.columns(columns, scratch, b, e); });
  }
};

template <class T>
void expect_same_pairs_by_threads(const PairAttentionKernels<T>& kernels, bool sigmoid) {
  PairCase<T> alone(kernels), shared(kernels);
  alone.sigmoid = shared.sigmoid = sigmoid;
  const auto room = static_cast<std::size_t>(kernels.scratch(heads, features));
  alone.run([&](const auto& work) { work(std::vector<T>(room).data(), 0, simplices); });
  shared.run([&](const auto& work) {
    ASSERT_TRUE(share_rows(
        1, simplices, width, [&](std::int64_t i) { return i + shared.offsets[static_cast<std::size_t>(i)]; },
        [&](std::int64_t, std::int64_t begin, std::int64_t end) {
          work(std::vector<T>(room).data(), begin, end);
          return true;
        }));
  });
  EXPECT_EQ(alone.y, shared.y);
  EXPECT_EQ(alone.of_x, shared.of_x);
  EXPECT_EQ(alone.of_receiver, shared.of_receiver);
  EXPECT_EQ(alone.of_source, shared.of_source);
}

TEST(AttentionByThreads, OverPairs) {
  for (int round = 0; round < 4; ++round)
    for (const bool sigmoid : {false, true}) {
      expect_same_pairs_by_threads(pair_attention_portable.of_float, sigmoid);
      expect_same_pairs_by_threads(pair_attention_portable.of_double, sigmoid);
    }
}

// Stars of many sizes, each simplex in two of them: parts by stars, then rows that add them up.
template <class T>
struct StarCase {
  static constexpr std::int64_t faces_of = 2, stars = 40, star_size = simplices * faces_of / stars;
  std::vector<StarEntry<T>> sources, receivers;
  std::vector<StarRow<T>> rows;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> faces;
  std::vector<T> x = numbers<T>(simplices * features, 5), y = std::vector<T>(simplices * features), kept = y,
                 parts = std::vector<T>(simplices * faces_of * 2 * features);
  StarSlice slice{0, features};

  StarCase() {
    faces.resize(simplices * faces_of);
    for (std::int64_t f = 0; f < stars; ++f) {
      offsets.push_back(std::ssize(sources));
      for (std::int64_t n = 0; n < star_size; ++n) {
        const std::int64_t entry = f * star_size + n, row = entry % simplices;
        const auto column = static_cast<std::uint8_t>(entry / simplices);
        faces[static_cast<std::size_t>(row * faces_of + column)] = static_cast<std::int32_t>(f);
        const StarEntry<T> one{static_cast<std::int32_t>(row),
                               static_cast<std::int32_t>(star_size - n),
                               column,
                               column == 0,
                               n % 3 == 0,
                               T(0.5) + T(n % 5),
                               T(0.25) + T(n % 3),
                               T(1)};
        sources.push_back(one);
        receivers.push_back(one);
      }
    }
    offsets.push_back(std::ssize(sources));
    for (std::int64_t i = 0; i < simplices; ++i) rows.push_back({T(1), T(0.5), T(1), T(0.2), T(0.5), T(1)});
  }

  StarPass<T> pass() {
    StarPass<T> made{
        sources.data(),      receivers.data(), rows.data(), offsets.data(), faces.data(), faces_of,
        std::ssize(sources), &slice,           x.data(),    features,       y.data(),     features};
    made.kept = kept.data(), made.kept_stride = features, made.parts = parts.data();
    return made;
  }
};

template <class T>
void expect_same_stars_by_threads(const StarKernels<T>& kernels) {
  StarCase<T> alone, shared;
  constexpr std::int64_t room = (StarCase<T>::star_size + 1) * max_slice * 2;
  struct alignas(64) Line {
    T numbers[64 / sizeof(T)];
  };
  const auto scratch = [] { return std::vector<Line>(static_cast<std::size_t>(room) * sizeof(T) / 64 + 1); };
  const StarPass<T> one = alone.pass(), many = shared.pass();
  kernels.stars(one, 0, StarCase<T>::stars, 0, 1, scratch()[0].numbers);
  kernels.join(one, 0, simplices, 0);
  at::parallel_for(0, StarCase<T>::stars, 1, [&](std::int64_t begin, std::int64_t end) {
    kernels.stars(many, begin, end, 0, 1, scratch()[0].numbers);
  });
  at::parallel_for(0, simplices, 1,
                   [&](std::int64_t begin, std::int64_t end) { kernels.join(many, begin, end, 0); });
  EXPECT_EQ(alone.y, shared.y);
  EXPECT_EQ(alone.kept, shared.kept);
}

TEST(AttentionByThreads, OverStars) {
  for (int round = 0; round < 10; ++round) {
    expect_same_stars_by_threads(star_attention_portable.of_float);
    expect_same_stars_by_threads(star_attention_portable.of_double);
  }
}

}  // namespace
}  // namespace gsan::ops
