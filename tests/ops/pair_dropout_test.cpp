#include "gsan/ops/pair_dropout.h"

#include <gtest/gtest.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/ops/cpu/isa.h"

#include "ops/elsewhere.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

using torch::Tensor;

struct Keys {
  Tensor sources, shared, source, part, signal;
};

Tensor ints(std::vector<std::int32_t> values) {
  return torch::tensor(at::ArrayRef<std::int32_t>(values), torch::kInt32);
}

// Every simplex with itself, then `pairs` random ones.
Keys random_keys(std::int32_t simplices, std::int32_t pairs, std::int64_t signals) {
  RandomStream random(3, "keys");
  std::vector<std::int32_t> sources, shared, source, part;
  for (std::int32_t j = 0; j < simplices; ++j) {
    sources.push_back(j), shared.push_back(-1), source.push_back(j), part.push_back(5 * j / simplices);
  }
  for (std::int32_t e = 0; e < pairs; ++e) {
    sources.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(simplices))));
    shared.push_back(e);
  }
  return {ints(sources), ints(shared), ints(source), ints(part),
          torch::arange(signals, torch::kInt64) * 0x123456789 - 4};
}

Tensor mask(const Keys& k, double p, std::int64_t heads = 1, std::int64_t stream = 77,
            torch::ScalarType type = torch::kFloat32) {
  return ops::pair_dropout_mask(k.sources, k.shared, k.source, k.part, k.signal, stream, p, heads, type);
}

using Mask = Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, std::int64_t,
                    double, std::int64_t, at::ScalarType);

TEST(PairDropout, IsTheStatedFunctionOfTheKeys) {
  const Keys k = random_keys(9, 40, 3);
  const double p = 0.3;
  const auto expected = [&](std::int64_t b, std::int64_t e, std::int64_t h, std::int64_t stream) {
    const auto j = k.sources[e].item<std::int32_t>();
    const std::uint64_t key = static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(h / 4);
    const RandomBlock words =
        philox({static_cast<std::uint32_t>(k.source[j].item<std::int32_t>()),
                static_cast<std::uint32_t>(k.shared[e].item<std::int32_t>()),
                static_cast<std::uint32_t>(k.part[j].item<std::int32_t>()),
                static_cast<std::uint32_t>(k.signal[b].item<std::int64_t>())},
               {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
    return words[static_cast<std::size_t>(h % 4)] >= p * 4294967296.0 ? 1 / (1 - p) : 0.0;
  };
  for (const std::int64_t stream : {std::int64_t{77}, std::int64_t{-1}, std::int64_t{0xffffffff}}) {
    for (const std::int64_t heads : {1, 2, 3, 4, 6}) {
      const Tensor m = mask(k, p, heads, stream, torch::kFloat64);
      ASSERT_EQ(m.sizes(), at::IntArrayRef({3, 49, heads}));
      const auto value = m.accessor<double, 3>();
      for (std::int64_t b = 0; b < 3; ++b)
        for (std::int64_t e = 0; e < 49; ++e)
          for (std::int64_t h = 0; h < heads; ++h) ASSERT_EQ(value[b][e][h], expected(b, e, h, stream));
    }
  }
}

TEST(PairDropout, EveryInstructionSetAndThreadCountDrawsTheSameBits) {
  const Keys k = random_keys(50, 9000, 3);
  const int threads = at::get_num_threads();
  ops::use_isa(ops::Isa::portable);
  at::set_num_threads(1);
  const Tensor expected = mask(k, 0.4, 5);
  for (int isa = 0; isa <= static_cast<int>(ops::supported_isa()); ++isa) {
    ops::use_isa(static_cast<ops::Isa>(isa));
    for (const int count : {1, 2, 3}) {
      at::set_num_threads(count);
      EXPECT_TRUE(mask(k, 0.4, 5).equal(expected)) << "isa " << isa << " threads " << count;
    }
  }
  at::set_num_threads(threads);
}

TEST(PairDropout, EveryDeviceDrawsTheSameBits) {
  const Keys k = random_keys(50, 3000, 4);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const std::int64_t stream :
         {std::int64_t{77}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
      for (const double p : {0.0, 0.1, 0.5, 0.999999}) {
        const Tensor here = mask(k, p, 9, stream, type);
        EXPECT_TRUE(
            torch::equal(here, elsewhere<Mask>("gsan::pair_dropout_mask", k.sources, k.shared, k.source,
                                               k.part, k.signal, stream, p, std::int64_t{9}, type)));
        if (!at::hasCUDA()) continue;
        const auto there = [](const Tensor& t) { return t.to(torch::kCUDA); };
        const Keys moved{there(k.sources), there(k.shared), there(k.source), there(k.part), there(k.signal)};
        EXPECT_TRUE(torch::equal(here, mask(moved, p, 9, stream, type).cpu()));
      }
    }
  }
}

TEST(PairDropout, KeepsTheStatedShareOfEachHeadAndSignal) {
  const Keys k = random_keys(100, 40000, 2);
  for (const double p : {0.1, 0.6}) {
    const Tensor kept = mask(k, p, 8).ne(0).to(torch::kFloat64).mean(1);  // [2, 8]
    // Five standard deviations of a mean over 40100 draws.
    EXPECT_LT((kept - (1 - p)).abs().max().item<double>(), 5 * std::sqrt(p * (1 - p) / 40100));
  }
}

TEST(PairDropout, HeadsSignalsStreamsAndPairsAreIndependent) {
  const Keys k = random_keys(100, 4000, 2);
  const auto kept = [&](std::int64_t stream) { return mask(k, 0.5, 6, stream).ne(0); };
  const Tensor m = kept(77), other = kept(1077);
  const auto agreement = [](const Tensor& a, const Tensor& b) {
    return a.eq(b).to(torch::kFloat64).mean().item<double>();
  };
  const double five_deviations = 5 * std::sqrt(0.25 / 4100);
  for (int h = 1; h < 6; ++h) EXPECT_NEAR(agreement(m.select(2, 0), m.select(2, h)), 0.5, five_deviations);
  EXPECT_NEAR(agreement(m[0], m[1]), 0.5, five_deviations);
  EXPECT_NEAR(agreement(m, other), 0.5, five_deviations);
}

TEST(PairDropout, DoesNotDependOnThePlaceInABatch) {
  // One complex alone; then behind another one, which shifts its rows and pairs but not its keys.
  const Keys alone{ints({0, 1, 2, 1, 0}), ints({-1, -1, -1, 4, 4}), ints({0, 1, 2}), ints({8, 8, 8}),
                   torch::tensor({3}, torch::kInt64)};
  const Keys batched{ints({0, 1, 0, 2, 3, 4, 3, 2}), ints({-1, -1, 4, -1, -1, -1, 4, 4}),
                     ints({0, 1, 0, 1, 2}), ints({2, 2, 8, 8, 8}), torch::tensor({0, 3}, torch::kInt64)};
  const Tensor m = mask(alone, 0.5, 64), n = mask(batched, 0.5, 64);
  EXPECT_TRUE(torch::equal(m[0], n[1].slice(0, 3)));
  EXPECT_FALSE(torch::equal(n[1][0], n[1][3]));  // the same keys in another part
}

TEST(PairDropout, ZeroKeepsEverythingAndNothingGivesNothing) {
  const Keys k = random_keys(5, 20, 2);
  EXPECT_TRUE(torch::equal(mask(k, 0, 3), torch::ones({2, 25, 3})));
  EXPECT_EQ(mask(random_keys(0, 0, 2), 0.5, 3).sizes(), at::IntArrayRef({2, 0, 3}));
  EXPECT_EQ(mask(random_keys(5, 0, 0), 0.5, 3).sizes(), at::IntArrayRef({0, 5, 3}));
  EXPECT_EQ(mask(k, 0.5, 0).sizes(), at::IntArrayRef({2, 25, 0}));
}

TEST(PairDropout, MetaTensorsGiveShapes) {
  Keys k = random_keys(5, 20, 2);
  for (Tensor* t : {&k.sources, &k.shared, &k.source, &k.part, &k.signal}) *t = t->to(torch::kMeta);
  const Tensor m = mask(k, 0.5, 3, 1, torch::kFloat64);
  EXPECT_TRUE(m.is_meta());
  EXPECT_EQ(m.sizes(), at::IntArrayRef({2, 25, 3}));
  EXPECT_EQ(m.scalar_type(), torch::kFloat64);
}

TEST(PairDropout, RefusesWhatDoesNotFit) {
  const Keys k = random_keys(5, 20, 2);
  const auto refused = [&](std::initializer_list<std::string> words, auto change, double p = 0.5,
                           torch::ScalarType type = torch::kFloat32) {
    Keys changed = k;
    change(changed);
    expect_error(Fault::argument, words, [&] { mask(changed, p, 2, 1, type); });
  };
  const auto nothing = [](Keys&) {};
  refused({"pair_dropout_mask", "p must", "got 1"}, nothing, 1.0);
  refused({"p must", "-0.1"}, nothing, -0.1);
  refused({"p must", "nan"}, nothing, std::nan(""));
  refused({"float32 or float64", "Half"}, nothing, 0.5, torch::kHalf);
  refused({"sources", "Int", "Long"}, [](Keys& c) { c.sources = c.sources.to(torch::kInt64); });
  refused({"signal_keys", "Long", "Int"}, [](Keys& c) { c.signal = c.signal.to(torch::kInt32); });
  refused({"shared_keys", "25", "24"}, [](Keys& c) { c.shared = c.shared.slice(0, 1); });
  refused({"part_keys", "5", "4"}, [](Keys& c) { c.part = c.part.slice(0, 1); });
  refused({"meta", "cpu"}, [](Keys& c) { c.part = c.part.to(torch::kMeta); });
  refused({"sources", "0 ... 4", "5"}, [](Keys& c) { c.sources = c.sources.clone(), c.sources[9] = 5; });
  refused({"sources", "-1"}, [](Keys& c) { c.sources = c.sources.clone(), c.sources[24] = -1; });
}

}  // namespace
}  // namespace gsan
