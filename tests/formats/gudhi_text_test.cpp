#include "gsan/data/formats/text/gudhi_text.h"

#include <sstream>

#include <gtest/gtest.h>

#ifdef GSAN_HAVE_GUDHI
#include <gudhi/Simplex_tree.h>
#endif

#include "gsan/data/formats/signal_order.h"

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

ComplexFile parse(std::string_view text) { return parse_gudhi(text, "s.gudhi"); }

TEST(GudhiText, DimensionVerticesFiltration) {
  const ComplexFile file = parse("0 5 0\n0 2 0.25 \n0 9 0\n1 5 2 1\n2 9 5 2 inf\n");
  EXPECT_EQ(file.listed.complex.count(0), 3);
  EXPECT_EQ(file.listed.complex.count(1), 3);
  EXPECT_EQ(file.listed.list(1).size(), 1);  // two edges were not listed and have no value
  EXPECT_EQ(file.values[0].values, (std::vector<double>{0, 0.25, 0}));
  EXPECT_EQ(file.values[2].names, (std::vector<std::string>{"filtration"}));
  EXPECT_TRUE(std::isinf(file.values[2].values[0]));
  EXPECT_EQ(parse("").listed.complex.order(), -1);
}

TEST(GudhiText, BadLines) {
  expect_error(Fault::format, {"s.gudhi:2:1", "dimension 2", "3 words follow"},
               [] { parse("0 1 0\n2 1 2 0\n"); });
  expect_error(Fault::format, {"dimension 1"}, [] { parse("1 1 2 3 0\n"); });
  expect_error(Fault::format, {"dimension 9223372036854775807"}, [] { parse("9223372036854775807 1 0\n"); });
  expect_error(Fault::format, {"s.gudhi:1:1", "'-1'"}, [] { parse("-1 0\n"); });
  expect_error(Fault::format, {"s.gudhi:1:1", "'x'"}, [] { parse("x\n"); });
  expect_error(Fault::format, {"s.gudhi:1:5", "'b'"}, [] { parse("1 1 b 0\n"); });
  expect_error(Fault::format, {"s.gudhi:1:7", "'nan'"}, [] { parse("1 1 2 nan\n"); });
  expect_error(Fault::format, {"s.gudhi:1", "must differ"}, [] { parse("1 1 1 0\n"); });
  expect_error(Fault::format, {"s.gudhi:3", "line 1"}, [] { parse("1 1 2 0\n1 2 3 0\n1 2 1 0\n"); });
}

TEST(GudhiText, WritesEverySimplexWithItsValue) {
  ComplexFile file{parse("1 30 10 0\n").listed, {}};
  EXPECT_EQ(print_gudhi(file), "0 10 0\n0 30 0\n1 10 30 0\n");
  file = parse("0 10 0.5\n0 30 0.125\n1 30 10 2\n");
  EXPECT_EQ(print_gudhi(file), "0 10 0.5\n0 30 0.125\n1 10 30 2\n");
  expect_error(Fault::argument, {"(30) has none"}, [] { print_gudhi(parse("0 10 0.5\n1 30 10 2\n")); });
}

#ifdef GSAN_HAVE_GUDHI
TEST(GudhiText, GudhiReadsOursAndWeReadGudhis) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    ComplexFile file{list_everything(complex), {}};
    for (int k = 0; k <= complex.order(); ++k) {
      file.values.push_back(missing_signal(static_cast<std::size_t>(complex.count(k)), 1));
      for (std::size_t i = 0; i < file.values.back().rows; ++i)
        file.values.back().values[i] = k + static_cast<double>(i) / 64;
    }
    Gudhi::Simplex_tree<> tree;
    std::istringstream ours(print_gudhi(file));
    ours >> tree;
    std::ostringstream theirs;
    theirs.precision(17);  // GUDHI prints as the stream says
    theirs << tree;
    const ComplexFile back = parse(theirs.str());
    ASSERT_EQ(back.listed.complex, complex);
    for (int k = 0; k <= complex.order(); ++k) {
      const auto order = static_cast<std::size_t>(k);
      EXPECT_EQ(to_complex_order(back.values[order], back.listed, k, false).values,
                file.values[order].values);
    }
  }
}
#endif

}  // namespace
}  // namespace gsan
