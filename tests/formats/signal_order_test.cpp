#include "gsan/data/formats/signal_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/random.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/text/signal_csv.h"
#include "gsan/data/formats/text/simplices_text.h"

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

ListedComplex parse(std::string_view text) { return parse_simplices(text, "s.txt").listed; }

Signal column(std::vector<double> values) { return {values.size(), 1, std::move(values), {}, {}, 0}; }

TEST(SignalOrder, SignOfSorting) {
  std::vector<Vertex> simplex{0, 1, 2, 3};
  std::vector<Vertex> permuted = simplex;
  do {
    int inversions = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) inversions += permuted[i] > permuted[j];
    }
    std::vector<Vertex> sorted = permuted;
    EXPECT_EQ(sort_with_sign(sorted), inversions % 2 ? -1 : 1);
    EXPECT_EQ(sorted, simplex);
  } while (std::next_permutation(permuted.begin(), permuted.end()));
  std::vector<Vertex> repeated{2, 1, 2};
  EXPECT_EQ(sort_with_sign(repeated), 0);
}

TEST(SignalOrder, RowRBelongsToTheRthListedSimplexOfItsOrder) {
  // Two orders interleaved; edges out of order, the second one reversed.
  const ListedComplex listed = parse("c d\nb\nd b\na b c\na\n");
  const Signal flow = to_complex_order(column({10, 20}), listed, 1, true);
  ASSERT_EQ(flow.rows, 5u);  // ab ac bc bd cd
  EXPECT_TRUE(std::isnan(flow.values[0]));
  EXPECT_TRUE(std::isnan(flow.values[1]));
  EXPECT_TRUE(std::isnan(flow.values[2]));
  EXPECT_EQ(flow.values[3], -20);
  EXPECT_EQ(flow.values[4], 10);
  EXPECT_EQ(to_complex_order(column({10, 20}), listed, 1, false).values[3], 20);
  EXPECT_EQ(has_value(listed.list(1), listed), (std::vector<std::uint8_t>{0, 0, 0, 1, 1}));
  const Signal nodes = to_complex_order(column({1, 2}), listed, 0, true);
  EXPECT_EQ(nodes.values[0], 2);
  EXPECT_EQ(nodes.values[1], 1);
}

TEST(SignalOrder, TheOutputHasTheUsersOrderAndVertices) {
  const ListedComplex listed = parse("c b\na b\n");
  Signal values = column({5, 7});  // of ab, bc
  values.names = {"flow"};
  const Signal back = to_listed_order(values, listed, 1, true);
  EXPECT_EQ(back.values, (std::vector<double>{-7, 5}));
  EXPECT_EQ(print_signal_csv(back), "v0,v1,flow\nc,b,-7\na,b,5\n");
}

TEST(SignalOrder, WrongLengthsSayBothNumbers) {
  const ListedComplex listed = parse("1 2\n2 3\n1 2 3\n");
  expect_error(Fault::argument, {"3 rows", "2 simplices of order 1"}, [&] {
    to_complex_order(column({1, 2, 3}), listed, 1, false);
  });
  expect_error(Fault::argument, {"3 rows", "0 simplices of order 0", "v0"}, [&] {
    to_complex_order(column({1, 2, 3}), listed, 0, false);
  });
  expect_error(Fault::argument, {"3 rows for order 1", "got 2"}, [&] {
    to_listed_order(column({1, 2}), listed, 1, false);
  });
  expect_error(Fault::argument, {"order 3 does not exist"},
               [&] { to_complex_order(column({1}), listed, 3, false); });
  expect_error(Fault::argument, {"order -1 does not exist"},
               [&] { to_complex_order(column({1}), listed, -1, false); });
}

TEST(SignalOrder, ASimplexListedTwiceCanCarryNoValue) {
  const ListedComplex listed = parse("1 2\n2 3\n2 1\n");
  expect_error(Fault::argument, {"rows 0 and 2", "(1 2)", "(2 1)"}, [&] {
    to_complex_order(column({1, 2, 3}), listed, 1, false);
  });
  EXPECT_EQ(to_listed_order(column({4, 5}), listed, 1, true).values, (std::vector<double>{4, 5, -4}));
}

TEST(SignalOrder, ASignalMayNameItsSimplicesListedOrNot) {
  const ListedComplex listed = parse("a b c\n");
  const Signal signal = parse_signal_csv("v0,v1,flow\nc,a,1\nb,c,2\n", "s.csv");
  const Signal flow = to_complex_order(signal, listed, 1, true);  // ab ac bc
  EXPECT_TRUE(std::isnan(flow.values[0]));
  EXPECT_EQ(flow.values[1], -1);
  EXPECT_EQ(flow.values[2], 2);
  const ListedSimplices list = list_of(signal, listed, 1);
  EXPECT_EQ(print_signal_csv(to_listed_order(flow, list, listed, true)), "v0,v1,flow\nc,a,1\nb,c,2\n");
  EXPECT_EQ(to_complex_order(parse_signal_csv("v0,v1,flow\n", "s.csv"), listed, 1, true).rows, 3u);

  const auto refuse = [&](const char* text, int order, std::initializer_list<std::string> words) {
    expect_error(Fault::argument, words,
                 [&] { to_complex_order(parse_signal_csv(text, "s.csv"), listed, order, true); });
  };
  refuse("v0,v1,f\na,d,1\n", 1, {"row 0", "'d'", "not in the complex"});
  refuse("v0,v1,f\na,b,1\nb,b,1\n", 1, {"row 1", "(b b)", "differ"});
  refuse("v0,v1,f\na,b,1\nb,a,1\n", 1, {"rows 0 and 1"});
  refuse("v0,v1,f\na,b,1\n", 2, {"3 vertices", "names 2"});
  const ListedComplex hollow = parse("a b\nb c\n");
  expect_error(Fault::argument, {"row 0", "(a c)", "not a simplex"},
               [&] { to_complex_order(parse_signal_csv("v0,v1,f\na,c,1\n", "s.csv"), hollow, 1, true); });
}

// Writes the listed simplices of a complex in random order, with random vertex order, as a
// user might bring them; and a flow on them.
struct Brought {
  ListedComplex original;
  std::string text;                      // the list
  std::vector<Signal> signals;           // per order, in the order of the list
  std::vector<Signal> in_complex_order;  // what they must become
};

Brought bring(const SimplicialComplex& complex, std::uint64_t seed, bool oriented) {
  RandomStream random(seed, "bring");
  std::vector<Vertex> ignored;
  LabelCollector collector;  // labels with gaps, integers and strings
  for (Vertex v = 0; v < complex.count(0); ++v) {
    collector.add(v % 3 == 2 ? "s " + std::to_string(v) : std::to_string(7 * v - 10));
  }
  Brought brought;
  brought.original = list_everything(complex, collector.finish(ignored));
  ListedComplex shuffled = brought.original;
  for (int k = 0; k <= complex.order(); ++k) {
    const auto rows = random.permutation<Index>(complex.count(k));
    std::vector<Vertex> vertices;
    Signal expected = missing_signal(static_cast<std::size_t>(complex.count(k)), 2, {"a", "b"});
    for (double& value : expected.values) value = random.normal();
    Signal signal = expected;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto simplex = complex.vertices(k, rows[r]);
      std::vector<Vertex> listed(simplex.begin(), simplex.end());
      random.shuffle(listed);
      int sign = 1;  // counted anew: every pair that stands the wrong way round
      for (std::size_t i = 0; i < listed.size(); ++i) {
        for (std::size_t j = i + 1; j < listed.size(); ++j) sign *= listed[i] > listed[j] ? -1 : 1;
      }
      vertices.insert(vertices.end(), listed.begin(), listed.end());
      for (std::size_t c = 0; c < 2; ++c) {
        signal.row(r)[c] = expected.row(static_cast<std::size_t>(rows[r]))[c] * (oriented ? sign : 1);
      }
    }
    shuffled.lists[static_cast<std::size_t>(k)] = place_simplices(complex, k, std::move(vertices));
    brought.signals.push_back(std::move(signal));
    brought.in_complex_order.push_back(std::move(expected));
  }
  brought.text = print_simplices(shuffled);
  return brought;
}

// The law of the format: what a user brings in any order ends up at its simplices with the
// right sign, and comes back bit for bit, through CSV and NPY.
void check_round_trip(const SimplicialComplex& complex, std::uint64_t seed) {
  for (const bool oriented : {true, false}) {
    const Brought brought = bring(complex, seed, oriented);
    const ListedComplex listed = parse(brought.text);
    ASSERT_EQ(listed.complex, complex);
    ASSERT_EQ(listed.labels, brought.original.labels);
    for (int k = 0; k <= complex.order(); ++k) {
      const Signal& signal = brought.signals[static_cast<std::size_t>(k)];
      const Signal read = parse_signal_csv(print_signal_csv(signal), "s.csv");
      const Signal placed = to_complex_order(read, listed, k, oriented);
      ASSERT_EQ(placed.values, brought.in_complex_order[static_cast<std::size_t>(k)].values);
      const Signal back = to_listed_order(placed, listed, k, oriented);
      ASSERT_EQ(back.values, signal.values);
      ASSERT_EQ(parse_npy(print_npy(back), "s.npy").values, signal.values);
      // The output names its simplices, so it may be shuffled on the way and still be read.
      const Signal named = parse_signal_csv(print_signal_csv(back), "s.csv");
      ASSERT_EQ(to_complex_order(named, brought.original, k, oriented).values, placed.values);
    }
  }
}

TEST(SignalOrder, ShuffledListsWithReversedVerticesRoundTrip) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) check_round_trip(random_complex(seed), seed);
}

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(SignalOrderProperty, ShuffledListsWithReversedVerticesRoundTrip,
              (const SimplicialComplex& complex, std::uint64_t seed)) {
  check_round_trip(complex, seed);
  RC_ASSERT(!testing::Test::HasFatalFailure());
}
#endif

// An oriented flow does not depend on how its edges are listed: its boundary, computed
// from the face table, is the same.
TEST(SignalOrder, TheDivergenceOfAFlowDoesNotDependOnTheList) {
  const auto divergence = [](const char* edges, std::vector<double> values) {
    const ListedComplex listed = parse(edges);
    const Signal flow = to_complex_order(column(std::move(values)), listed, 1, true);
    std::vector<double> at(static_cast<std::size_t>(listed.complex.count(0)), 0.0);
    for (Index e = 0; e < listed.complex.count(1); ++e) {
      for (int j = 0; j < 2; ++j) {
        at[static_cast<std::size_t>(listed.complex.faces(1, e)[j])] +=
            face_sign(j) * flow.values[static_cast<std::size_t>(e)];
      }
    }
    return at;
  };
  EXPECT_EQ(divergence("x y\ny z\nz x\n", {1, 2, 4}), divergence("y x\nz x\nz y\n", {-1, 4, -2}));
  EXPECT_EQ(divergence("x y\n", {3}), (std::vector<double>{-3, 3}));
}

}  // namespace
}  // namespace gsan
