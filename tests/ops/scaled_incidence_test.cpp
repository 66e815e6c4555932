#include "gsan/ops/scaled_incidence.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/detail/scaled_incidence_checks.h"

#include "hodge/sample_complexes.h"
#include "ops/elsewhere.h"
#include "ops/incidence_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

using torch::Tensor;

std::vector<Tensor> tables_of(const IncidenceTables& t) { return {t.faces, t.offsets, t.cofaces, t.columns}; }

// factors [rows, H] of groups of features, for x [rows, F].
Tensor scaled(const Tensor& x, const Tensor& factors) {
  return factors.defined() ? x * factors.repeat_interleave(x.size(-1) / factors.size(-1), -1) : x;
}

Tensor reference(const Tensor& x, const Tensor& of_x, const Tensor& of_y, const IncidenceTables& t,
                 bool boundary, bool absolute = false) {
  return scaled(reference_product(scaled(x, of_x), t, boundary, absolute), of_y);
}

struct Operands {
  Tensor x, of_x, of_y;
  Operands(const IncidenceTables& t, bool boundary, std::int64_t width, std::int64_t groups,
           torch::ScalarType type = torch::kFloat32) {
    const std::int64_t from = boundary ? t.simplices : t.rows, to = boundary ? t.rows : t.simplices;
    x = torch::randn({from, width * groups}, type);
    of_x = torch::randn({from, groups}, type).exp();
    of_y = torch::randn({to, groups}, type).exp();
  }
};

struct ScaledIncidence : testing::Test {
  void SetUp() override { torch::manual_seed(9); }
  void TearDown() override { at::set_num_threads(threads), ops::use_isa(ops::supported_isa()); }
  int threads = at::get_num_threads();
};

TEST_F(ScaledIncidence, EqualsItsDefinitionBitForBitForEveryOrderWidthAndType) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 0; k <= complex.order() + 1; ++k) {
      const auto t = incidence_tables(complex, k);
      for (const auto type : {torch::kFloat32, torch::kFloat64}) {
        for (const auto& [width, groups] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                            {3, 2},
                                            {16, 1},
                                            {16, 4},
                                            {17, 3},
                                            {32, 2},
                                            {100, 1}}) {
          for (const bool boundary : {true, false}) {
            const Operands o(t, boundary, width, groups, type);
            for (int which = 0; which < 4; ++which) {
              const Tensor of_x = which & 1 ? o.of_x : Tensor(), of_y = which & 2 ? o.of_y : Tensor();
              const bool absolute = seed % 3 == 1;
              const Tensor y = ops::scaled_incidence(o.x, of_x, of_y, tables_of(t), boundary, absolute);
              EXPECT_TRUE(torch::equal(y, reference(o.x, of_x, of_y, t, boundary, absolute)))
                  << "seed " << seed << " k " << k << " width " << width << " groups " << groups;
            }
          }
        }
      }
    }
  }
}

TEST_F(ScaledIncidence, DotsAreTheGradientsOfFactors) {
  const auto t = incidence_tables(random_complex(7), 1);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const auto& [width, groups] :
         {std::pair<std::int64_t, std::int64_t>{1, 1}, {5, 2}, {16, 2}, {37, 1}}) {
      for (const bool boundary : {true, false}) {
        const Operands o(t, boundary, width, groups, type);
        const Tensor other = torch::randn({o.of_y.size(0), width * groups}, type);
        const auto [y, dots] =
            ops::scaled_sums_call(o.x, o.of_x, o.of_y, tables_of(t), boundary, false, other, false);
        EXPECT_EQ(y.numel(), 0);
        const Tensor expected = (reference(o.x, o.of_x, {}, t, boundary) * other)
                                    .to(torch::kFloat64)
                                    .unflatten(-1, {groups, width})
                                    .sum(-1);
        EXPECT_TRUE(torch::allclose(dots.to(torch::kFloat64), expected, 1e-4,
                                    type == torch::kFloat32 ? 1e-4 : 1e-12));
      }
    }
  }
}

TEST_F(ScaledIncidence, SignalsShareFactorsOrHaveTheirOwn) {
  const auto t = incidence_tables(random_complex(7), 1);
  const Tensor x = torch::randn({2, 3, t.simplices, 2, 12}).select(-2, 1);  // strided
  const Tensor shared = torch::rand({t.simplices, 3}), own = torch::rand({2, 3, t.rows, 3});
  const Tensor y = ops::scaled_incidence(x, shared, own, tables_of(t), true);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      EXPECT_TRUE(torch::equal(y[a][b], reference(x[a][b].contiguous(), shared, own[a][b], t, true)));
}

TEST_F(ScaledIncidence, GivesTheSameBitsForAnyNumberOfThreadsAndInstructionSet) {
  const auto t = incidence_tables(sheet(180, 180), 1);
  for (const auto& [width, groups] : {std::pair<std::int64_t, std::int64_t>{16, 2}, {5, 3}, {48, 1}}) {
    for (const bool boundary : {true, false}) {
      const Operands o(t, boundary, width, groups);
      const Tensor expected = reference(o.x, o.of_x, o.of_y, t, boundary),
                   other = torch::randn_like(expected);
      Tensor dots;
      for (int isa = 0; isa <= static_cast<int>(ops::supported_isa()); ++isa) {
        ops::use_isa(static_cast<ops::Isa>(isa));
        for (const int count : {1, 2, 3}) {
          at::set_num_threads(count);
          const auto [y, d] =
              ops::scaled_sums_call(o.x, o.of_x, o.of_y, tables_of(t), boundary, false, other, true);
          if (!dots.defined()) dots = d;
          EXPECT_TRUE(torch::equal(y, expected)) << width << " isa " << isa << " threads " << count;
          EXPECT_TRUE(torch::equal(d, dots)) << width << " isa " << isa << " threads " << count;
        }
      }
    }
  }
}

TEST_F(ScaledIncidence, GradientsAgreeWithDifferencesToSecondOrder) {
  const auto t = incidence_tables(complete_complex(4, 2), 1);
  for (const bool boundary : {true, false}) {
    for (const bool shared : {true, false}) {
      Operands o(t, boundary, 2, 2, torch::kFloat64);
      Tensors inputs{torch::stack({o.x, o.x.cos()}), o.of_x, o.of_y};
      if (!shared) inputs[1] = torch::stack({o.of_x, o.of_x.sqrt()});
      bool absolute = false;
      const TensorFunction all = [&](const Tensors& in) {
        return ops::scaled_incidence(in[0], in[1], in[2], tables_of(t), boundary, absolute).square();
      };
      expect_gradients(all, inputs, {.step = 1e-6, .tolerance = 1e-6});
      if (shared) expect_second_gradients(all, inputs, {.step = 1e-5, .tolerance = 1e-5});
      absolute = true;
      expect_gradients(all, inputs, {.step = 1e-6, .tolerance = 1e-6});
      if (shared) expect_second_gradients(all, inputs, {.step = 1e-5, .tolerance = 1e-5});
      const TensorFunction without_x_factors = [&](const Tensors& in) {
        return ops::scaled_incidence(in[0], {}, in[1], tables_of(t), boundary).square();
      };
      expect_gradients(without_x_factors, {inputs[0], inputs[2]}, {.step = 1e-6, .tolerance = 1e-6});
    }
  }
}

TEST_F(ScaledIncidence, GradientsExistWhereFactorsAreZero) {
  const auto t = incidence_tables(complete_complex(4, 2), 1);
  Operands o(t, true, 4, 1, torch::kFloat64);
  const Tensor zeros = torch::zeros_like(o.of_y).requires_grad_(), x = o.x.requires_grad_();
  ops::scaled_incidence(x, o.of_x, zeros, tables_of(t), true).sum().backward();
  EXPECT_TRUE(torch::allclose(zeros.grad(), reference(o.x.detach(), o.of_x, {}, t, true).sum(-1, true)));
  EXPECT_EQ(x.grad().count_nonzero().item<std::int64_t>(), 0);
}

TEST_F(ScaledIncidence, MetaTensorsGiveShapesAndOtherDevicesComputeTheSame) {
  const auto t = incidence_tables(random_complex(7), 1);
  const Operands o(t, true, 3, 2, torch::kFloat64);
  const Tensor other = torch::randn({t.rows, 6}, torch::kFloat64);
  const auto tables = tables_of(t);
  Tensor y;
  for (const bool absolute : {true, false}) {
    Tensor dots;
    std::tie(y, dots) = ops::scaled_sums_call(o.x, o.of_x, o.of_y, tables, true, absolute, other, true);
    const auto [z, d] = elsewhere<ops::ScaledSums>("gsan::scaled_sums", o.x, o.of_x, o.of_y, tables, true,
                                                   absolute, other, true);
    EXPECT_TRUE(torch::allclose(y, z, 1e-13, 1e-13));
    EXPECT_TRUE(torch::allclose(dots, d, 1e-13, 1e-13));
  }
  std::vector<Tensor> on_meta;
  for (const Tensor& table : tables) on_meta.push_back(table.to(torch::kMeta));
  EXPECT_EQ(ops::scaled_incidence(o.x.to(torch::kMeta), o.of_x.to(torch::kMeta), {}, on_meta, true).sizes(),
            y.sizes());
}

TEST_F(ScaledIncidence, EmptyOrdersGiveZerosOrNothing) {
  const auto complex = from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1}, {2}});
  const auto above = incidence_tables(complex, 2), edges = incidence_tables(complex, 1);
  EXPECT_TRUE(torch::equal(ops::scaled_incidence(torch::ones({0, 4}), torch::ones({0, 2}),
                                                 torch::ones({1, 2}), tables_of(above), true),
                           torch::zeros({1, 4})));
  EXPECT_EQ(
      ops::scaled_incidence(torch::ones({0, 1, 4}), torch::ones({1, 2}), {}, tables_of(edges), true).sizes(),
      at::IntArrayRef({0, 3, 4}));
}

TEST_F(ScaledIncidence, RefusesBadShapesAndTables) {
  const auto t = incidence_tables(sheet(40, 40), 1);
  const Operands o(t, true, 4, 2);
  const auto tables = tables_of(t);
  const auto refused = [&](const Tensor& of_x, const Tensor& of_y, std::initializer_list<std::string> words) {
    expect_error(Fault::argument, words, [&] { ops::scaled_incidence(o.x, of_x, of_y, tables, true); });
  };
  refused(o.of_y, {}, {"x_factors", "shape"});
  refused(o.of_x, o.of_x, {"y_factors", "shape"});
  refused(o.of_x.select(1, 0), {}, {"x_factors", "[..., rows, groups]"});
  refused(o.of_x.to(torch::kFloat64), {}, {"x_factors", "Double"});
  refused(torch::ones({t.simplices, 3}), {}, {"8 features", "3 groups"});
  refused(o.of_x, torch::ones({t.rows, 4}), {"as many groups", "2", "4"});
  refused(o.of_x.unsqueeze(0), {}, {"x_factors", "shape"});
  const auto broken = [&](auto change, bool boundary, std::initializer_list<std::string> words) {
    std::vector<Tensor> wrong;
    for (const Tensor& table : tables) wrong.push_back(table.clone());
    change(wrong);
    const Operands p(t, boundary, 4, 2);
    expect_error(Fault::argument, words,
                 [&] { ops::scaled_incidence(p.x, p.of_x, p.of_y, wrong, boundary); });
  };
  broken([](auto& w) { w[0][17][1] = -3; }, false, {"faces", "-3"});
  broken([](auto& w) { w[2][900] = 1 << 30; }, true, {"cofaces", "1073741824"});
  broken([](auto& w) { w[1][30] = -7; }, true, {"offsets", "increase"});
}

}  // namespace
}  // namespace gsan
