#include "gsan/data/formats/signal.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/random.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/text/signal_csv.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

Signal parse(std::string_view text, SignalOptions options = {}) {
  return parse_signal_csv(text, "s.csv", options);
}

void expect_same_bits(const Signal& a, const Signal& b) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (std::isnan(a.values[i]) && std::isnan(b.values[i])) continue;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.values[i]), std::bit_cast<std::uint64_t>(b.values[i])) << i;
  }
}

TEST(SignalCsv, WithAndWithoutHeader) {
  const Signal plain = parse("1,2\n3,4\n5,6\n");
  EXPECT_EQ(plain.rows, 3u);
  EXPECT_EQ(plain.columns, 2u);
  EXPECT_EQ(plain.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(plain.names.empty());
  const Signal named = parse("flow,speed\n1,2\n");
  EXPECT_EQ(named.names, (std::vector<std::string>{"flow", "speed"}));
  EXPECT_EQ(named.rows, 1u);
  EXPECT_EQ(parse("1\n2\n", {false, HeaderRow::present}).names, (std::vector<std::string>{"1"}));
  expect_error(Fault::format, {"s.csv:1:1", "row 0, column 0", "'flow'"}, [] {
    parse("flow\n1\n", {false, HeaderRow::absent});
  });
  // Neither a header nor a row: dropping it silently would shift every value.
  expect_error(Fault::format, {"s.csv:1:1", "'a' is not a number"}, [] { parse("a,1\nb,2\n"); });
}

TEST(SignalCsv, BlanksSemicolonsAndTabs) {
  EXPECT_EQ(parse("1 2\n3   4\n").columns, 2u);
  EXPECT_EQ(parse("1;2\n").columns, 2u);
  EXPECT_EQ(parse("1\t2\n").columns, 2u);
  EXPECT_EQ(parse("1\n2\n").columns, 1u);
  EXPECT_EQ(parse("wind speed\n1\n").names, (std::vector<std::string>{"wind speed"}));
}

TEST(SignalCsv, EmptyIsNoRows) {
  EXPECT_EQ(parse("").rows, 0u);
  EXPECT_EQ(parse("# nothing\n").rows, 0u);
  EXPECT_EQ(parse("a,b\n").columns, 2u);
}

TEST(SignalCsv, MissingValuesAreAnErrorUnlessAllowed) {
  expect_error(Fault::format, {"s.csv:3:3", "row 1, column 1 ('b')", "empty"},
               [] { parse("a,b\n1,2\n3,\n"); });
  expect_error(Fault::format, {"s.csv:2:1", "row 1, column 0", "NaN"}, [] { parse("1\nNaN\n"); });
  const Signal holes = parse("a,b\n1,\nnan,4\n", {true, HeaderRow::automatic});
  EXPECT_EQ(holes.rows, 2u);
  EXPECT_TRUE(std::isnan(holes.values[1]));
  EXPECT_TRUE(std::isnan(holes.values[2]));
  EXPECT_EQ(holes.values[3], 4);
  EXPECT_EQ(parse("1\n\"\"\n3\n", {true, HeaderRow::automatic}).rows, 3u);
  expect_error(Fault::format, {"row 0, column 0", "finite"}, [] {
    parse("inf\n", {true, HeaderRow::automatic});
  });
}

TEST(SignalCsv, NAIsAMissingValueInAnyCase) {
  for (const char* word : {"NA", "na", "N/A", "n/a", "NaN", "nan"}) {
    const Signal holes = parse(concat("a\n1\n", word, "\n"), {true, HeaderRow::automatic});
    EXPECT_TRUE(std::isnan(holes.values.at(1))) << word;
    EXPECT_EQ(parse(concat(word, "\n4\n"), {true, HeaderRow::automatic}).rows, 2u) << word;
    expect_error(Fault::format, {"s.csv:3:1", word}, [&] { parse(concat("a\n1\n", word, "\n")); });
  }
  EXPECT_EQ(parse("Na,Cl\n1,2\n").names, (std::vector<std::string>{"Na", "Cl"}));
  expect_error(Fault::format, {"'none'"}, [] { parse("a\n1\nnone\n"); });
}

TEST(SignalCsv, VerticesAndEdgesHaveMoreNamesWhereTheOrderIsKnown) {
  const auto keys = [](std::string_view text, std::size_t vertices) {
    return parse(text, {.key_vertices = vertices}).vertex_columns;
  };
  for (const char* name : {"v0", "node", "ID", "vertex", "Name"})
    EXPECT_EQ(keys(concat(name, ",x\n1,2\n"), 1), 1u) << name;
  for (const char* names : {"v0,v1", "source,target", "From,To", "u,v"})
    EXPECT_EQ(keys(concat(names, ",x\n1,2,3\n"), 2), 2u) << names;
  EXPECT_EQ(keys("node,x\n1,2\n", 0), 0u);
  EXPECT_EQ(keys("node,x\n1,2\n", 2), 0u);
  EXPECT_EQ(keys("id\n1\n", 1), 0u);  // a column of values
  const Signal led = parse("complex,node,x\ng1,1,2\n", {.key_vertices = 1, .lead = "complex"});
  EXPECT_EQ(led.simplices, (std::vector<std::string>{"g1", "1"}));
}

TEST(SignalCsv, RaggedRowsAndWordsAreErrors) {
  expect_error(Fault::format, {"s.csv:3:1", "2 fields", "has 3"}, [] { parse("1,2\n3,4\n5,6,7\n"); });
  expect_error(Fault::format, {"s.csv:2:3", "'x'"}, [] { parse("1,2\n3,x\n"); });
  expect_error(Fault::format, {"1e400"}, [] { parse("1e400\n"); });
}

TEST(SignalCsv, VertexColumnsNameTheSimplices) {
  const Signal signal = parse("v0,v1,flow\na,b,1\nc,\"d e\",2\n");
  EXPECT_EQ(signal.vertex_columns, 2u);
  EXPECT_EQ(signal.columns, 1u);
  EXPECT_EQ(signal.simplices, (std::vector<std::string>{"a", "b", "c", "d e"}));
  EXPECT_EQ(signal.names, (std::vector<std::string>{"flow"}));
  EXPECT_EQ(parse("v0,0\n5,1\n").names, (std::vector<std::string>{"0"}));
  expect_error(Fault::format, {"s.csv:1:1", "column of values"}, [] { parse("v0,v1\na,b\n"); });
}

TEST(SignalCsv, WrittenTablesReadBackToTheSameBits) {
  RandomStream random(2, "table");
  for (const std::size_t columns : {1u, 3u}) {
    Signal signal = missing_signal(40, columns);
    for (double& value : signal.values) {
      value = std::bit_cast<double>(random());
      if (!std::isfinite(value)) value = std::nan("");
    }
    expect_same_bits(parse(print_signal_csv(signal), {true, HeaderRow::automatic}), signal);
    expect_same_bits(parse_npy(print_npy(signal), "s.npy", {true, HeaderRow::automatic}), signal);
    signal.names = {"a,b", "two\nlines", "#"};
    signal.names.resize(columns);
    const Signal named = parse(print_signal_csv(signal), {true, HeaderRow::automatic});
    expect_same_bits(named, signal);
    EXPECT_EQ(named.names, signal.names);
  }
}

TEST(SignalCsv, HeadersThatWouldNotReadBackAreRefused) {
  Signal signal = missing_signal(1, 2, {"1", "2"});
  expect_error(Fault::argument, {"called 1"}, [&] { print_signal_csv(signal); });
  signal.names = {"", ""};
  expect_error(Fault::argument, {"needs a name"}, [&] { print_signal_csv(signal); });
  signal.names = {"v0", "x"};
  expect_error(Fault::argument, {"called v0"}, [&] { print_signal_csv(signal); });
  signal.names = {"x"};
  expect_error(Fault::argument, {"2 columns", "1 names"}, [&] { print_signal_csv(signal); });
}

TEST(Signal, TheFirstBytesTellNpyFromCsv) {
  const TemporaryFolder folder;
  const Signal signal{2, 1, {1, 2}, {}, {}, 0};
  for (const char* name : {"a.csv", "a.npy"}) {
    write_signal(folder / name, signal);
    expect_same_bits(read_signal(folder / name), signal);
  }
  write_file_atomically(folder / "odd.dat", print_npy(signal));
  expect_same_bits(read_signal(folder / "odd.dat"), signal);
  write_file_atomically(folder / "text.npy", "1\n2\n");
  expect_error(Fault::format, {"text.npy", "NUMPY"}, [&] { read_signal(folder / "text.npy"); });
  expect_error(Fault::io, {"absent.csv"}, [&] { read_signal(folder / "absent.csv"); });
  expect_error(Fault::io, {"folder"}, [&] { read_signal(folder.path()); });
}

TEST(Signal, NothingStaysBehindWhereAFileCannotBeWritten) {
  const TemporaryFolder folder;
  const Signal signal{1, 1, {1}, {}, {}, 0};
  expect_error(Fault::io, {"absent"}, [&] { write_signal(folder / "absent/a.csv", signal); });
  const Signal bad{1, 2, {1, 2}, {"one name"}, {}, 0};
  expect_error(Fault::argument, {"names"}, [&] { write_signal(folder / "a.csv", bad); });
  EXPECT_EQ(folder.size(), 0);
}

}  // namespace
}  // namespace gsan
