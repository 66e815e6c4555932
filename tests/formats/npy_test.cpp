#include "gsan/data/formats/arrays/npy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

// A file as numpy writes it: magic, version, length of the dictionary, dictionary, values.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), 0};
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(dictionary.size() >> (8 * i));
  return bytes + dictionary + data;
}

std::string dictionary(const std::string& type, bool fortran, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }   \n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool big = false) {
  std::string bytes;
  for (const T& value : values) {
    char item[sizeof(T)];
    std::memcpy(item, &value, sizeof(T));
    if (big) std::reverse(item, item + sizeof(T));
    bytes.append(item, sizeof(T));
  }
  return bytes;
}

Signal parse(const std::string& bytes, SignalOptions options = {}) {
  return parse_npy(bytes, "s.npy", options);
}

template <class T>
void expect_type(const std::string& type, const std::vector<T>& values) {
  const std::vector<double> expected(values.begin(), values.end());
  const std::string shape = "(" + std::to_string(values.size()) + ",)";
  EXPECT_EQ(parse(npy(dictionary("<" + type, false, shape), bytes_of(values))).values, expected) << type;
  EXPECT_EQ(parse(npy(dictionary(">" + type, false, shape), bytes_of(values, true))).values, expected)
      << type;
}

TEST(NpyArray, ThreeDimensionsComeInCOrder) {
  std::vector<double> values(24);  // 100 i + 10 j + k
  for (int n = 0; n < 24; ++n)
    values[static_cast<std::size_t>(n)] = 100 * (n / 12) + 10 * (n / 4 % 3) + n % 4;
  std::vector<double> columns;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) columns.push_back(100 * i + 10 * j + k);
  for (const bool fortran : {false, true}) {
    const std::string bytes =
        npy(dictionary("<f8", fortran, "(2, 3, 4)"), bytes_of(fortran ? columns : values));
    const NpyArray array = parse_npy_array(bytes, "s.npy");
    EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3, 4}));
    EXPECT_EQ(array.values, values);
    expect_error(Fault::format, {"truncated or damaged"},
                 [&] { parse_npy_array(std::string_view(bytes).substr(0, bytes.size() - 1), "s.npy"); });
  }
  expect_error(Fault::format, {"(1, 1, 1, 1)"},
               [] { parse_npy_array(npy(dictionary("<f8", false, "(1, 1, 1, 1)"), "12345678"), "s.npy"); });
  expect_error(Fault::resource, {"at most"},
               [] { parse_npy_array(npy(dictionary("<f8", false, "(1, 1000000, 1000000)"), ""), "s.npy"); });
}

TEST(Npy, EveryNumberTypeInBothByteOrders) {
  expect_type<double>("f8", {0, -1.5, 1e300});
  expect_type<float>("f4", {0, -1.5f, 3e38f});
  expect_type<std::int8_t>("i1", {0, -128, 127});
  expect_type<std::int16_t>("i2", {-32768, 258});
  expect_type<std::int32_t>("i4", {-2147483648, 16909060});
  expect_type<std::int64_t>("i8", {-(std::int64_t{1} << 53), 72623859790382856 >> 4});
  expect_type<std::uint8_t>("u1", {0, 255});
  expect_type<std::uint16_t>("u2", {65535, 258});
  expect_type<std::uint32_t>("u4", {4294967295u, 16909060});
  expect_type<std::uint64_t>("u8", {std::uint64_t{1} << 53, 7});
  expect_type<std::uint8_t>("b1", {0, 1});
  // Half precision: 1, -2, the largest, the smallest normal, the smallest at all, -0.
  const Signal half = parse(npy(dictionary("<f2", false, "(6,)"),
                                bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x8000})));
  EXPECT_EQ(half.values, (std::vector<double>{1, -2, 65504, std::ldexp(1, -14), std::ldexp(1, -24), 0}));
  EXPECT_TRUE(std::signbit(half.values[5]));
}

TEST(Npy, VersionsShapesAndOrders) {
  const std::string data = bytes_of<double>({1, 2, 3, 4, 5, 6});
  for (int version = 1; version <= 3; ++version) {
    const Signal signal = parse(npy(dictionary("<f8", false, "(3, 2)"), data, version));
    EXPECT_EQ(signal.rows, 3u);
    EXPECT_EQ(signal.columns, 2u);
    EXPECT_EQ(signal.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }
  EXPECT_EQ(parse(npy(dictionary("<f8", true, "(3, 2)"), data)).values,
            (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(parse(npy(dictionary("<f8", false, "(6L,)"), data)).columns, 1u);
  EXPECT_EQ(parse(npy("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f8\"}", data)).rows, 6u);
  EXPECT_EQ(parse(npy(dictionary("<f8", false, "(0,)"), "")).rows, 0u);
  EXPECT_EQ(parse(npy(dictionary("<f8", false, "(0, 4)"), "")).columns, 4u);
  EXPECT_EQ(parse(npy(dictionary("<f8", false, "(4, 0)"), "")).rows, 4u);
}

TEST(Npy, WhatIsNoTableOfNumbersIsRefused) {
  const std::string one = bytes_of<double>({1});
  const auto refuse = [&](const std::string& bytes, std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { parse(bytes); });
  };
  refuse(npy(dictionary("|O", false, "(1,)"), one), {"Python objects"});
  refuse(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", one), {"structured"});
  for (const char* type : {"<c8", "<f16", "<U4", "|S8", "<i3", "f8", "", "<f", "<M8[s]"}) {
    refuse(npy(dictionary(type, false, "(1,)"), one), {"is not supported"});
  }
  refuse(npy(dictionary("<f8", false, "()"), one), {"[N] or [N, F]", "()"});
  refuse(npy(dictionary("<f8", false, "(1, 1, 1)"), one), {"(1, 1, 1)"});
  refuse(npy(dictionary("<f8", false, "(-1,)"), one), {"shape"});
  refuse(npy("{'descr': '<f8', 'shape': (1,)}", one), {"fortran_order"});
  refuse(npy("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}", one), {"True or False"});
  refuse(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}", one),
         {"unknown key 'more'"});
  refuse(npy(dictionary("<f8", false, "(1,)"), one, 9), {"version", "9"});
  refuse("\x93NUMPZ", {"begins with"});
  refuse("", {"begins with"});
}

TEST(Npy, TheLengthMustBeWhatTheHeaderSays) {
  const std::string two = bytes_of<double>({1, 2});
  const auto refuse = [&](const std::string& shape, const std::string& data) {
    expect_error(Fault::format, {"s.npy", shape, "bytes"},
                 [&] { parse(npy(dictionary("<f8", false, shape), data)); });
  };
  refuse("(3,)", two);
  refuse("(1,)", two);
  refuse("(2,)", two.substr(1));
  refuse("(0,)", two);
  refuse("(4, 0)", two);
  // Counts whose product overflows, and counts that no memory holds: nothing is allocated.
  refuse("(4611686018427387905, 4)", two);
  refuse("(1152921504606846977, 16)", two);
  refuse("(9223372036854775807,)", two);
  expect_error(Fault::resource, {"columns"},
               [&] { parse(npy(dictionary("<f8", false, "(0, 9223372036854775807)"), "")); });
}

TEST(Npy, ValuesMustBeFiniteAndExact) {
  const auto file = [](double value) {
    return npy(dictionary("<f8", false, "(2, 2)"), bytes_of<double>({1, 2, 3, value}));
  };
  expect_error(Fault::format, {"row 1, column 1", "NaN"}, [&] { parse(file(std::nan(""))); });
  EXPECT_TRUE(std::isnan(parse(file(std::nan("")), {true, HeaderRow::automatic}).values[3]));
  expect_error(Fault::format, {"row 1, column 1", "infinity"}, [&] {
    parse(file(INFINITY), {true, HeaderRow::automatic});
  });
  const std::int64_t beyond = (std::int64_t{1} << 53) + 1;
  expect_error(Fault::format, {"row 0, column 0", "2^53"},
               [&] { parse(npy(dictionary("<i8", false, "(1,)"), bytes_of<std::int64_t>({-beyond}))); });
  expect_error(Fault::format, {"2^53"}, [&] {
    parse(npy(dictionary("<u8", false, "(1,)"), bytes_of<std::uint64_t>({~std::uint64_t{0}})));
  });
}

TEST(Npy, WrittenHeaderIsAlignedAndComplete) {
  const Signal signal{2, 3, {1, 2, 3, 4, 5, 6}, {}, {}, 0};
  const std::string bytes = print_npy(signal);
  EXPECT_EQ(bytes.size() % 64, 48u);  // 6 values after a multiple of 64
  EXPECT_EQ(bytes[bytes.size() - 49], '\n');
  EXPECT_NE(bytes.find("'shape': (2, 3)"), std::string::npos);
  EXPECT_EQ(parse(bytes).values, signal.values);
}

TEST(Npy, RowsWithoutValuesAreNotMadeByTheMillion) {
  EXPECT_EQ(parse(npy(dictionary("<f8", false, "(5, 0)"), "")).rows, 5u);
  for (const char* shape : {"(1000000000000000000, 0)", "(100000000, 0)"})
    expect_error(Fault::format, {"s.npy", "rows without a value"},
                 [&] { parse(npy(dictionary("<f8", false, shape), "")); });
  expect_error(Fault::format, {"(100000000, 32, 0)"},
               [&] { parse_npy_array(npy(dictionary("<f8", false, "(100000000, 32, 0)"), ""), "s.npy"); });
}

}  // namespace
}  // namespace gsan
