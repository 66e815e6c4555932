#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/ops/attention_powers.h"
#include "gsan/ops/cpu/isa.h"

#include "ops/attention_reference.h"

namespace gsan {
namespace {

using torch::Tensor;

struct AttentionPowers : testing::Test {
  void SetUp() override { torch::manual_seed(7); }
  void TearDown() override { at::set_num_threads(threads), ops::use_isa(ops::supported_isa()); }
  int threads = at::get_num_threads();
};

std::vector<PairTables> lists() {
  return {random_pairs(1, 0), random_pairs(14, 1), circle_pairs(300, 5), hub_pairs(700, 2, 3, 2),
          hub_pairs(2500, 1, 1, 3)};
}

template <class F>
void for_all_isas(const F& f) {
  for (const auto isa : {ops::Isa::portable, ops::Isa::avx2, ops::Isa::avx512}) {
    if (isa > ops::supported_isa()) continue;
    ops::use_isa(isa);
    f(concat(" isa ", static_cast<int>(isa)));
  }
}

// Every list meets every width; what else varies takes turns.
TEST_F(AttentionPowers, EqualsItsDefinitionForEveryWidthHeadAndPower) {
  int turn = 0;
  for (const PairTables& t : lists()) {
    for (const std::int64_t features : {1, 3, 16, 17, 64, 256}) {
      for (const std::int64_t heads : {1, 2, 3}) {
        if (t.count() * heads * features > 900'000) continue;
        ++turn;
        AttentionVariant v{heads, features, 1 + turn % 3, turn / 3 % 2};
        if (turn % 5 == 0) v.leading = {2};
        if (turn % 7 == 0) v.leading = {2, 1, 2};
        v.type = turn % 2 ? torch::kFloat32 : torch::kFloat64;
        v.scale = turn % 4 == 3 ? 8 : 2;
        v.sigmoid = turn % 5 == 2 || turn % 7 == 3;
        const AttentionProblem problem = pair_problem(t, v, turn % 4 == 1, turn / 2 % 3 == 0);
        const AttentionResult expected = reference_attention(problem);
        for_all_isas([&](const std::string& isa) {
          expect_equals(problem, expected, v.scale,
                        concat("N ", t.simplices(), " F ", features, " H ", heads, " P ", v.taps, " from ",
                               v.first_power, isa));
        });
      }
    }
  }
}

TEST_F(AttentionPowers, OneRowMayHaveTwentyThousandPairs) {
  const PairTables t = hub_pairs(20000, 1, 0, 4);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    AttentionVariant v{1, 17, 2, 1};
    v.type = type;
    expect_equals_reference(pair_problem(t, v, true, true), v.scale, toString(type));
    v.sigmoid = true;
    AttentionProblem sums = pair_problem(t, v, true, true);
    sums.operands.taps /= 1000;  // they grow with the rows
    expect_equals_reference(sums, v.scale, concat("sigmoid, ", toString(type)));
  }
}

TEST_F(AttentionPowers, LargeScoresStayExact) {
  for (const double scale : {50., 100., 300., 600.}) {
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      for (const PairTables& t : {circle_pairs(200, 6), hub_pairs(600, 1, 2, 5)}) {
        AttentionVariant v{2, 8, 2, 1};
        v.scale = scale, v.type = type;
        expect_equals_reference(pair_problem(t, v, false, false), scale, concat("scores to ", scale));
        v.sigmoid = true;
        expect_equals_reference(pair_problem(t, v, false, false), scale,
                                concat("sigmoid, scores to ", scale));
      }
    }
  }
}

TEST_F(AttentionPowers, TiesAtTheKinkTakeTheNegativeSlope) {
  const PairTables t = circle_pairs(120, 4);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    AttentionVariant v{2, 5, 2, 0};
    v.type = type;
    for (const bool sigmoid : {false, true}) {
      v.sigmoid = sigmoid;
      AttentionProblem problem = pair_problem(t, v, true, false);
      ops::AttentionOperands& o = problem.operands;
      o.receiver = torch::randint(-2, 3, o.receiver.sizes(), torch::kInt64).to(type);
      o.source = torch::randint(-2, 3, o.source.sizes(), torch::kInt64).to(type);
      const AttentionResult expected = reference_attention(problem);
      for_all_isas([&](const std::string& isa) { expect_equals(problem, expected, 4, isa); });
      // All scores at the kink: every α is the same, and every slope the negative one.
      o.receiver.zero_(), o.source.zero_();
      expect_equals_reference(problem, 0, "zeros");
    }
  }
}

TEST_F(AttentionPowers, BitsDoNotDependOnThreads) {
  for (const PairTables& t : {circle_pairs(3000, 5), hub_pairs(2500, 2, 3, 6)}) {
    for (const std::int64_t features : {16, 40}) {
      AttentionVariant v{2, features, 2, 1, {2}};
      v.sigmoid = features == 40;
      const AttentionProblem problem = pair_problem(t, v, true, false);
      at::set_num_threads(1);
      const AttentionResult alone = kernel_attention(problem.operands);
      for (const int count : {2, 3}) {
        at::set_num_threads(count);
        expect_same_bits(kernel_attention(problem.operands), alone, concat(count, " threads"));
      }
    }
  }
}

TEST_F(AttentionPowers, LargeOperandsGiveTheSameAsTheirParts) {
  // 17 MB of results: fetched ahead and written past the caches.
  const PairTables t = circle_pairs(3000, 5);
  AttentionVariant v{1, 64, 1, 1, {24}};
  const AttentionProblem problem = pair_problem(t, v, false, false);
  const AttentionResult all = kernel_attention(problem.operands);
  for (const std::int64_t signal : {0, 23}) {
    ops::AttentionOperands part = problem.operands;
    part.taps = part.taps[signal], part.receiver = part.receiver[signal], part.source = part.source[signal];
    EXPECT_TRUE(torch::equal(ops::attention_powers(part, false)[0], all.y[signal]));
  }
  expect_equals_reference(problem, v.scale, "large");
}

// The weights of one signal are kept for the other powers, those of all signals together are too many for it.
TEST_F(AttentionPowers, WeightsMadeForEveryPowerAreThoseThatAreKept) {
  for (const PairTables& t : {circle_pairs(3000, 5), hub_pairs(2500, 1, 3, 6)}) {
    for (const int which : {0, 1, 2, 3}) {
      const bool masked = which % 2 == 1;
      AttentionVariant v{2, 16, 3, 1, {24}};
      v.sigmoid = which >= 2;
      const AttentionProblem problem = pair_problem(t, v, masked, masked);
      const ops::AttentionOperands& o = problem.operands;
      const Tensor gradient = torch::randn({24, t.simplices(), 32});
      for_all_isas([&](const std::string& isa) {
        const auto all = ops::attention_powers(o, true);
        const auto gradients = ops::attention_powers_backward(gradient, o, all);
        EXPECT_TRUE(torch::equal(ops::attention_powers(o, false)[0], all[0])) << isa;
        for (const std::int64_t signal : {0, 23}) {
          ops::AttentionOperands one = o;
          one.taps = o.taps[signal], one.receiver = o.receiver[signal], one.source = o.source[signal];
          if (masked) one.mask = (*o.mask)[signal];
          const auto kept = ops::attention_powers(one, true);
          EXPECT_TRUE(torch::equal(kept[0], all[0][signal])) << signal << isa;
          EXPECT_TRUE(torch::equal(ops::attention_powers(one, false)[0], kept[0])) << signal << isa;
          const auto own = ops::attention_powers_backward(gradient[signal], one, kept);
          for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(torch::equal(own[i], gradients[i][signal])) << signal << " " << i << isa;
        }
      });
    }
  }
}

TEST_F(AttentionPowers, StridedOperandsAreReadInPlace) {
  const PairTables t = circle_pairs(90, 3);
  const AttentionVariant v{2, 16, 2, 1, {3}};
  const AttentionProblem problem = pair_problem(t, v, false, false);
  const AttentionResult expected = kernel_attention(problem.operands);
  ops::AttentionOperands o = problem.operands;
  const Tensor wide = torch::cat({o.taps.flatten(-2), o.receiver, o.source, torch::ones({3, 90, 3})}, -1);
  o.taps = wide.slice(-1, 0, 64).unflatten(-1, {2, 32});
  o.receiver = wide.slice(-1, 64, 66), o.source = wide.slice(-1, 66, 68);
  EXPECT_TRUE(torch::equal(ops::attention_powers(o, false)[0], expected.y));
  o = problem.operands;
  o.taps = o.taps.transpose(0, 1).contiguous().transpose(0, 1);
  o.receiver = o.receiver.transpose(-1, -2).contiguous().transpose(-1, -2);
  EXPECT_TRUE(torch::equal(ops::attention_powers(o, false)[0], expected.y));
  const auto kept = ops::attention_powers(o, true);
  const Tensor gradient = torch::randn({32, 90, 3}).permute({2, 1, 0});
  const auto strided = ops::attention_powers_backward(gradient, o, kept),
             dense = ops::attention_powers_backward(gradient.contiguous(), problem.operands, kept);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::equal(strided[i], dense[i])) << i;
}

// A dimension of size 1 may have any stride, also between the signals and their rows.
TEST_F(AttentionPowers, ReadsViewsWhoseDimensionsWereSwapped) {
  AttentionVariant v{1, 8, 1, 1, {1, 3}};
  ops::AttentionOperands o = pair_problem(circle_pairs(40, 3), v, false, false).operands;
  const Tensor expected = ops::attention_powers(o, false)[0].transpose(0, 1);
  for (Tensor* x : {&o.taps, &o.receiver, &o.source}) *x = x->transpose(0, 1);
  EXPECT_TRUE(torch::equal(ops::attention_powers(o, false)[0], expected));
}

TEST_F(AttentionPowers, ForwardAloneAndWithItsKeptTensorsAgree) {
  for (const std::int64_t taps : {1, 2, 4}) {
    for (const bool sigmoid : {false, true}) {
      AttentionProblem problem = pair_problem(circle_pairs(400, 4), {1, 32, taps, 1}, true, true);
      problem.operands.sigmoid = sigmoid;
      EXPECT_TRUE(torch::equal(ops::attention_powers(problem.operands, false)[0],
                               ops::attention_powers(problem.operands, true)[0]));
    }
  }
}

TEST_F(AttentionPowers, NothingToDoIsNoError) {
  const auto run = [](const PairTables& t, AttentionVariant v) {
    for (const bool sigmoid : {false, true}) {
      v.sigmoid = sigmoid;
      expect_equals_reference(pair_problem(t, v, true, true), v.scale, "empty");
    }
  };
  run(random_pairs(0, 1), {2, 3, 2, 1});
  run(random_pairs(5, 1), {2, 0, 2, 1});
  run(random_pairs(5, 1), {2, 3, 2, 1, {0}});
  run(random_pairs(5, 1), {2, 3, 1, 0});
  run(pair_tables(4, [](auto, auto) { return false; }), {2, 3, 2, 1});  // no pairs at all
}

TEST_F(AttentionPowers, NonFiniteNumbersReachEveryRowThatAttendsToThem) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const PairTables& t : {circle_pairs(60, 3), hub_pairs(600, 1, 1, 7)}) {
    const std::int64_t n = t.simplices(), bad = n / 2;
    const Tensor receivers = torch::repeat_interleave(t.offsets.slice(0, 1) - t.offsets.slice(0, 0, n));
    Tensor attends = torch::zeros({n}, torch::kBool);
    attends.index_put_({receivers.index({t.sources == bad})}, torch::ones({}, torch::kBool));
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      AttentionVariant v{2, 5, 1, 1};
      v.type = type;
      AttentionProblem problem = pair_problem(t, v, false, false);
      problem.operands.sigmoid = n > 100;
      for (const double value : {inf, -inf, nan}) {
        for_all_isas([&](const std::string& isa) {
          ops::AttentionOperands o = problem.operands;
          o.source = o.source.clone();
          o.source[bad].fill_(value);
          const AttentionResult scores = kernel_attention(o);
          EXPECT_TRUE(torch::equal(scores.y.isfinite().any(-1), ~attends)) << value << isa;
          EXPECT_FALSE(scores.gradients[2][bad].isfinite().any().item<bool>());
          o = problem.operands;
          o.taps = o.taps.clone();
          o.taps[bad].fill_(value);
          EXPECT_TRUE(torch::equal(kernel_attention(o).y.isfinite().any(-1), ~attends)) << value << isa;
          o = problem.operands;
          o.receiver = o.receiver.clone();
          o.receiver[bad].fill_(value);
          const Tensor finite = kernel_attention(o).y.isfinite().any(-1);
          EXPECT_FALSE(finite[bad].item<bool>()) << value << isa;
          EXPECT_EQ(finite.sum().item<std::int64_t>(), n - 1) << value << isa;
        });
      }
    }
  }
}

}  // namespace
}  // namespace gsan
