#include "gsan/ops/segments.h"

#include <gtest/gtest.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "gsan/core/check.h"

#include "ops/elsewhere.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

using torch::Tensor;

Tensor offsets_of(const std::vector<std::int64_t>& offsets) {
  return torch::tensor(at::ArrayRef<std::int64_t>(offsets), torch::kInt64);
}

// Empty segments at both ends and in the middle, single rows, long ones; no rows; no segments.
const std::vector<std::vector<std::int64_t>> lists = {
    {0, 0, 3, 4, 4, 4, 9, 9}, {0, 7}, {0, 1, 2, 3}, {0, 0, 0}, {0}, {0, 40, 41}};

// The reference: f(rows of a segment [R_s, C]) for every segment of x [R, C], stacked.
template <class F>
Tensor by_segment(const Tensor& x, const std::vector<std::int64_t>& offsets, const F& f) {
  Tensors parts = {torch::zeros({0, x.size(-1)}, x.options())};
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    parts.push_back(f(x.slice(0, offsets[s], offsets[s + 1])));
  return torch::cat(parts);
}

Tensor zeros_row(const Tensor& x) { return torch::zeros({1, x.size(-1)}, x.options()); }

using Op = Tensor (*)(const Tensor&, const Tensor&);
struct Case {
  const char* name;
  Op op;
  Tensor (*reference)(const Tensor&);
};
const std::vector<Case> cases = {
    {"gsan::segment_softmax", ops::segment_softmax,
     [](const Tensor& x) { return x.size(0) ? x.softmax(0) : x; }},
    {"gsan::segment_sum", ops::segment_sum, [](const Tensor& x) { return x.sum(0, true); }},
    {"gsan::segment_mean", ops::segment_mean,
     [](const Tensor& x) { return x.size(0) ? x.mean(0, true) : zeros_row(x); }},
    {"gsan::segment_max", ops::segment_max,
     [](const Tensor& x) { return x.size(0) ? x.amax(0, true) : zeros_row(x); }},
};

struct Segments : testing::Test {
  void SetUp() override { torch::manual_seed(7); }
  void TearDown() override { at::set_num_threads(threads); }
  int threads = at::get_num_threads();
};

TEST_F(Segments, ReductionsEqualTheirDefinition) {
  for (const auto& list : lists) {
    for (const std::int64_t columns : {0, 1, 3, 70}) {
      const Tensor x = torch::randn({list.back(), columns}, torch::kFloat64), offsets = offsets_of(list);
      for (const auto& [name, op, reference] : cases) {
        const Tensor expected = by_segment(x, list, reference);
        const Tensor y = op(x, offsets), narrow = op(x.to(torch::kFloat32), offsets);
        ASSERT_EQ(y.sizes(), expected.sizes()) << name;
        EXPECT_EQ(narrow.scalar_type(), torch::kFloat32);
        EXPECT_TRUE(torch::allclose(y, expected, 1e-14, 1e-14)) << name;
        EXPECT_TRUE(torch::allclose(narrow.to(torch::kFloat64), expected, 1e-5, 1e-5)) << name;
      }
    }
  }
}

TEST_F(Segments, SpreadRepeatsAndIsTheTransposeOfTheSum) {
  for (const auto& list : lists) {
    const std::int64_t rows = list.back(), count = static_cast<std::int64_t>(list.size()) - 1;
    const Tensor offsets = offsets_of(list), x = torch::randn({2, rows, 3}, torch::kFloat64),
                 y = torch::randn({2, count, 3}, torch::kFloat64);
    const Tensor spread = ops::segment_spread(y, offsets, rows);
    EXPECT_TRUE(torch::equal(spread, ops::segment_spread(y, offsets)));
    EXPECT_TRUE(torch::equal(spread, y.repeat_interleave(offsets.diff(), 1)));
    EXPECT_NEAR(ops::segment_sum(x, offsets).mul(y).sum().item<double>(), spread.mul(x).sum().item<double>(),
                1e-12);
  }
}

TEST_F(Segments, ArgmaxIsTheFirstLargestRow) {
  const double nan = std::nan("");
  const Tensor x = torch::tensor({1., 5., 5., -2., -2., nan, 9., nan}, torch::kFloat64).unsqueeze(-1);
  const Tensor offsets = offsets_of({0, 3, 3, 5, 8});
  const Tensor expected = torch::tensor({1, -1, 3, 5}, torch::kInt64).unsqueeze(-1);
  EXPECT_TRUE(torch::equal(ops::segment_argmax(x, offsets), expected));
  using Reduction = Tensor(const Tensor&, const Tensor&);
  EXPECT_TRUE(torch::equal(elsewhere<Reduction>("gsan::segment_argmax", x, offsets), expected));
}

TEST_F(Segments, TheGradientOfTheMaximumGoesToTheFirstLargestRow) {
  const Tensor x = torch::tensor({1., 5., 5., 2.}, torch::kFloat64).unsqueeze(-1).requires_grad_();
  ops::segment_max(x, offsets_of({0, 3, 3, 4})).sum().backward();
  EXPECT_TRUE(torch::equal(x.grad(), torch::tensor({0., 1., 0., 1.}, torch::kFloat64).unsqueeze(-1)));
}

TEST_F(Segments, SoftmaxIsFiniteForHugeLogitsAndSumsToOne) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const Tensor x = torch::tensor({1e4, -1e4, 0., 1e4, -1e4, -1e4, 1e4, 3., 1e4}, type).unsqueeze(-1);
    const Tensor offsets = offsets_of({0, 3, 6, 7, 7, 9});
    const Tensor y = ops::segment_softmax(x, offsets), sums = ops::segment_sum(y, offsets);
    EXPECT_TRUE(y.isfinite().all().item<bool>());
    for (const int s : {0, 1, 2, 4}) EXPECT_NEAR(sums[s].item<double>(), 1, 1e-6);
    EXPECT_EQ(sums[3].item<double>(), 0);
    EXPECT_EQ(y[0].item<double>(), 1);
    using Reduction = Tensor(const Tensor&, const Tensor&);
    EXPECT_TRUE(torch::allclose(elsewhere<Reduction>("gsan::segment_softmax", x, offsets), y));
  }
}

TEST_F(Segments, LongSumsOfFloat32StayExact) {
  const std::int64_t rows = 300000;
  const Tensor offsets = offsets_of({0, rows}), x = torch::full({rows, 1}, 0.1f);
  EXPECT_NEAR(ops::segment_sum(x, offsets).item<double>(), 0.1f * 300000.0, 1e-2);
  EXPECT_NEAR(ops::segment_softmax(x, offsets).to(torch::kFloat64).sum().item<double>(), 1, 1e-6);
}

TEST_F(Segments, LeadingDimensionsAndStrides) {
  const Tensor offsets = offsets_of(lists[0]);
  const Tensor x = torch::randn({3, 2, 5, 9}).transpose(-1, -2);
  ASSERT_FALSE(x.is_contiguous());
  for (const auto& [name, op, reference] : cases) {
    const Tensor y = op(x, offsets);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 2; ++b)
        EXPECT_TRUE(torch::equal(y[a][b], op(x[a][b].contiguous(), offsets))) << name;
  }
}

TEST_F(Segments, GiveTheSameBitsForAnyNumberOfThreads) {
  const Tensor offsets = torch::arange(0, 30001, 30, torch::kInt64), x = torch::randn({2, 30000, 4});
  for (const auto& [name, op, reference] : cases) {
    at::set_num_threads(1);
    const Tensor expected = op(x, offsets);
    at::set_num_threads(3);
    EXPECT_TRUE(torch::equal(op(x, offsets), expected)) << name;
  }
}

TEST_F(Segments, GradientsAgreeWithDifferencesToSecondOrder) {
  const Tensor offsets = offsets_of(lists[0]), x = torch::randn({2, 9, 2}, torch::kFloat64) * 0.5;
  const GradcheckOptions second{.step = 1e-5, .tolerance = 1e-6};
  for (const auto& [name, op, reference] : cases) {
    // Squares make the second derivatives of what is linear non-zero.
    const auto square = [&, op = op](const Tensors& in) { return op(in[0], offsets).square(); };
    SCOPED_TRACE(name);
    expect_gradients(square, {x});
    expect_second_gradients(square, {x}, second);
  }
  const auto spread = [&](const Tensors& in) { return ops::segment_spread(in[0], offsets, 9).square(); };
  expect_gradients(spread, {torch::randn({2, 7, 2}, torch::kFloat64)});
  expect_second_gradients(spread, {torch::randn({2, 7, 2}, torch::kFloat64)}, second);
}

TEST_F(Segments, EmptyInputsHaveGradients) {
  const Tensor x = torch::randn({0, 2}).requires_grad_(), offsets = offsets_of({0, 0, 0});
  for (const auto& [name, op, reference] : cases) {
    const Tensor y = op(x, offsets);
    EXPECT_EQ(y.count_nonzero().item<std::int64_t>(), 0) << name;
    if (y.requires_grad()) y.sum().backward();
  }
  EXPECT_EQ(ops::segment_max(x, offsets).sizes(), at::IntArrayRef({2, 2}));
}

TEST_F(Segments, RecordAGraphOnlyWhenAsked) {
  const Tensor offsets = offsets_of(lists[0]), x = torch::randn({9, 2}).requires_grad_();
  for (const auto& [name, op, reference] : cases) {
    EXPECT_TRUE(op(x, offsets).requires_grad()) << name;
    torch::NoGradGuard no_grad;
    EXPECT_FALSE(op(x, offsets).requires_grad()) << name;
  }
}

TEST_F(Segments, MetaTensorsGiveShapes) {
  const Tensor offsets = offsets_of(lists[0]).to(torch::kMeta);
  const Tensor x = torch::empty({3, 9, 2}, torch::dtype(torch::kFloat64).device(torch::kMeta));
  for (const auto& [name, op, reference] : cases) {
    const Tensor y = op(x, offsets);
    EXPECT_TRUE(y.is_meta()) << name;
    EXPECT_EQ(y.scalar_type(), torch::kFloat64);
    EXPECT_EQ(y.size(1), op == ops::segment_softmax ? 9 : 7) << name;
  }
  const Tensor y = ops::segment_spread(ops::segment_sum(x, offsets), offsets, x.sym_size(1));
  EXPECT_EQ(y.sizes(), x.sizes());
  EXPECT_EQ(ops::segment_argmax(x, offsets).scalar_type(), torch::kInt64);
}

TEST_F(Segments, DevicesWithoutAKernelComputeTheSame) {
  using Reduction = Tensor(const Tensor&, const Tensor&);
  using Spread = Tensor(const Tensor&, const Tensor&, c10::SymInt);
  for (const auto& list : lists) {
    const std::int64_t rows = list.back(), count = static_cast<std::int64_t>(list.size()) - 1;
    const Tensor offsets = offsets_of(list), x = torch::randn({2, rows, 3}, torch::kFloat64),
                 y = torch::randn({2, count, 3}, torch::kFloat64);
    for (const auto& [name, op] : {std::pair{"gsan::segment_softmax", &ops::segment_softmax},
                                   {"gsan::segment_sum", &ops::segment_sum},
                                   {"gsan::segment_argmax", &ops::segment_argmax}}) {
      EXPECT_TRUE(torch::allclose(elsewhere<Reduction>(name, x, offsets), op(x, offsets), 1e-14, 1e-14))
          << name;
    }
    EXPECT_TRUE(torch::equal(elsewhere<Spread>("gsan::segment_spread", y, offsets, c10::SymInt(rows)),
                             ops::segment_spread(y, offsets, rows)));
  }
}

TEST_F(Segments, CudaComputesTheSame) {
  if (!at::hasCUDA()) GTEST_SKIP() << "torch has no CUDA here";
  const Tensor offsets = offsets_of(lists[0]), x = torch::randn({2, 9, 3}, torch::kFloat64);
  for (const auto& [name, op, reference] : cases) {
    const Tensor here = x.clone().requires_grad_(), there = x.to(torch::kCUDA).requires_grad_();
    const Tensor y = op(here, offsets), z = op(there, offsets.to(torch::kCUDA));
    y.square().sum().backward(), z.square().sum().backward();
    EXPECT_TRUE(torch::allclose(z.cpu(), y, 1e-12, 1e-12)) << name;
    EXPECT_TRUE(torch::allclose(there.grad().cpu(), here.grad(), 1e-12, 1e-12)) << name;
  }
}

TEST_F(Segments, RefuseWhatDoesNotFit) {
  const Tensor x = torch::ones({9, 2}), offsets = offsets_of(lists[0]);
  const auto refused = [](std::initializer_list<std::string> words, auto call) {
    expect_error(Fault::argument, words, call);
  };
  for (const auto& [name, op, reference] : cases) {
    const std::string who = name;
    refused({who, "float32 or float64", "Int"}, [&, op = op] { op(x.to(torch::kInt32), offsets); });
    refused({who, "[..., rows, columns]", "[9]"}, [&, op = op] { op(x.select(1, 0), offsets); });
    refused({who, "offsets", "Long", "Int"}, [&, op = op] { op(x, offsets.to(torch::kInt32)); });
    refused({who, "meta", "cpu"}, [&, op = op] { op(x, offsets.to(torch::kMeta)); });
    refused({who, "got none"}, [&, op = op] { op(x, offsets.slice(0, 0, 0)); });
    refused({"increase from 0 to 10", "to 9"}, [&, op = op] { op(torch::ones({10, 2}), offsets); });
    refused({"increase"}, [&, op = op] { op(x, offsets_of({0, 7, 5, 9})); });
    refused({"increase"}, [&, op = op] { op(x, offsets_of({1, 9})); });
    refused({"increase"}, [&, op = op] { op(x, offsets_of({0, -(std::int64_t{1} << 60), 9})); });
  }
  refused({"segment_spread", "7 rows", "got 9"}, [&] { ops::segment_spread(x, offsets, 9); });
  refused({"segment_spread", "increase from 0 to 8"},
          [&] { ops::segment_spread(x.slice(0, 2), offsets, 8); });
  refused({"segment_spread", "-3"}, [&] { ops::segment_spread(x.slice(0, 2), offsets, -3); });
}

}  // namespace
}  // namespace gsan
