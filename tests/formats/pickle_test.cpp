#include "gsan/data/formats/arrays/pickle.h"

#include <gtest/gtest.h>

#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/arrays/object_npy.h"

#include "support/expect_error.h"
#include "support/pickle_writer.h"

namespace gsan {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

// pickle.dumps({'a': [1, -2, 300, 70000, 3.5, None, True, False, (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (),
//   b'xyz\xff', frozenset([3]), 2**40, -2**40, 'ä'], 'b': {1: {}, 2: []}, 'c': {5}}, protocol)
constexpr std::string_view python_protocols[] = {
    "80027d71002858010000006171015d7102284b014afeffffff4d2c014a7011010047400c0000000000004e88894b018571034b01"
    "4b02"
    "8671044b014b024b03877105284b014b024b034b0474710629635f636f646563730a656e636f64650a7107580500000078797ac3"
    "bf71"
    "0858060000006c6174696e31710986710a52710b635f5f6275696c74696e5f5f0a66726f7a656e7365740a710c5d710d4b036185"
    "710e"
    "52710f8a060000000000018a060000000000ff5802000000c3a471106558010000006271117d7112284b017d71134b025d711475"
    "5801"
    "000000637115635f5f6275696c74696e5f5f0a7365740a71165d71174b0561857118527119752e",
    "80037d71002858010000006171015d7102284b014afeffffff4d2c014a7011010047400c0000000000004e88894b018571034b01"
    "4b02"
    "8671044b014b024b03877105284b014b024b034b0474710629430478797aff7107636275696c74696e730a66726f7a656e736574"
    "0a71"
    "085d71094b036185710a52710b8a060000000000018a060000000000ff5802000000c3a4710c65580100000062710d7d710e284b"
    "017d"
    "710f4b025d7110755801000000637111636275696c74696e730a7365740a71125d71134b0561857114527115752e",
    "80049581000000000000007d94288c0161945d94284b014afeffffff4d2c014a7011010047400c0000000000004e88894b018594"
    "4b01"
    "4b0286944b014b024b038794284b014b024b034b04749429430478797aff94284b0391948a060000000000018a060000000000ff"
    "8c02"
    "c3a494658c0162947d94284b017d944b025d94758c0163948f94284b0590752e",
    "80059581000000000000007d94288c0161945d94284b014afeffffff4d2c014a7011010047400c0000000000004e88894b018594"
    "4b01"
    "4b0286944b014b024b038794284b014b024b034b04749429430478797aff94284b0391948a060000000000018a060000000000ff"
    "8c02"
    "c3a494658c0162947d94284b017d944b025d94758c0163948f94284b0590752e"};

TEST(Pickle, WhatPythonWritesInEveryProtocolReadsTheSame) {
  for (const std::string_view hex : python_protocols) {
    const PickleValue root = parse_pickle(from_hex(hex), "test");
    ASSERT_EQ(root.kind(), PickleKind::dict);
    ASSERT_EQ(root.size(), 3u);
    EXPECT_EQ(root.key(0).text(), "a");
    EXPECT_EQ(root.key(2).text(), "c");
    const PickleValue list = root.value(0);
    ASSERT_EQ(list.size(), 18u);
    EXPECT_EQ(list[0].integer(), 1);
    EXPECT_EQ(list[1].integer(), -2);
    EXPECT_EQ(list[2].integer(), 300);
    EXPECT_EQ(list[3].integer(), 70000);
    EXPECT_EQ(list[4].number(), 3.5);
    EXPECT_EQ(list[5].kind(), PickleKind::none);
    EXPECT_TRUE(list[6].boolean());
    EXPECT_FALSE(list[7].boolean());
    const std::size_t sizes[] = {1, 2, 3, 4, 0};
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(list[8 + i].kind(), PickleKind::tuple);
      ASSERT_EQ(list[8 + i].size(), sizes[i]);
      for (std::size_t j = 0; j < sizes[i]; ++j)
        EXPECT_EQ(list[8 + i][j].integer(), static_cast<std::int64_t>(j + 1));
    }
    EXPECT_EQ(list[13].kind(), PickleKind::bytes);
    EXPECT_EQ(list[13].text(), "xyz\xff");
    EXPECT_EQ(list[14].kind(), PickleKind::set);
    EXPECT_EQ(list[14][0].integer(), 3);
    EXPECT_EQ(list[15].integer(), std::int64_t{1} << 40);
    EXPECT_EQ(list[16].integer(), -(std::int64_t{1} << 40));
    EXPECT_EQ(list[17].text(), "\xc3\xa4");
    EXPECT_EQ(root.value(1).key(1).integer(), 2);
    EXPECT_EQ(root.value(1).value(1).size(), 0u);
    EXPECT_EQ(root.value(2)[0].integer(), 5);
  }
}

TEST(Pickle, AskingForAnotherKindNamesThePlace) {
  const PickleValue root = parse_pickle(pickled::whole(pickled::list({pickled::integer(4)})), "some.npy");
  expect_error(Fault::format, {"some.npy", "byte 2", "a list", "an integer"}, [&] { root.integer(); });
  expect_error(Fault::format, {"some.npy", "byte 4", "a dict"}, [&] { root[0].key(0); });
  expect_error(Fault::argument, {"item 1 of 1"}, [&] { root[1]; });
}

TEST(Pickle, AForbiddenNameIsRefusedWithItsPlaceAndNothingIsCalled) {
  // What runs a command when Python loads it, in the old and the new spelling.
  expect_error(Fault::format, {"evil.npy", "byte 12", "GLOBAL", "os system"}, [] {
    parse_pickle(std::string("\x80\x02") + "cos\nsystem\nX\x04" + std::string(3, '\0') + "true\x85R.",
                 "evil.npy", 10);
  });
  expect_error(Fault::format, {"STACK_GLOBAL", "os system"},
               [] { parse_pickle(std::string("\x80\x04\x8c\x02os\x8c\x06system\x93)R."), "evil.npy"); });
  expect_error(Fault::format, {"builtins eval"}, [] {
    parse_pickle(
        "\x80\x03"
        "cbuiltins\neval\n)R.",
        "evil.npy");
  });
  expect_error(Fault::format, {"numpy load"}, [] {
    parse_pickle(
        "\x80\x02"
        "cnumpy\nload\n)R.",
        "evil.npy");
  });
}

TEST(Pickle, AForbiddenOpcodeIsRefusedByName) {
  expect_error(Fault::format, {"evil.npy", "byte 3", "INST", "0x69"},
               [] { parse_pickle("\x80\x02(ios\nsystem\n.", "evil.npy"); });
  expect_error(Fault::format, {"byte 2", "PERSID"}, [] { parse_pickle("\x80\x02Pname\n.", "evil.npy"); });
  expect_error(Fault::format, {"byte 2", "EXT1"}, [] { parse_pickle("\x80\x02\x82\x01.", "evil.npy"); });
  expect_error(Fault::format, {"byte 2", "0xff"}, [] { parse_pickle("\x80\x02\xff.", "evil.npy"); });
  expect_error(Fault::format, {"protocols"}, [] { parse_pickle("\x80\x09N.", "evil.npy"); });
}

TEST(Pickle, AllowedNamesDoOnlyWhatTheyAreFor) {
  const std::string set = "c__builtin__\nfrozenset\n";
  expect_error(Fault::format, {"REDUCE"}, [&] { parse_pickle("\x80\x02" + set + "NR.", "x"); });
  expect_error(Fault::format, {"list"}, [&] { parse_pickle("\x80\x02" + set + "K\x01\x85R.", "x"); });
  expect_error(Fault::format, {"REDUCE"}, [&] {
    parse_pickle(
        "\x80\x02"
        "cnumpy\nndarray\n)R.",
        "x");
  });
  expect_error(Fault::format, {"NEWOBJ"}, [&] { parse_pickle("\x80\x02" + set + ")\x81.", "x"); });
  expect_error(Fault::format, {"BUILD"}, [&] { parse_pickle("\x80\x02]Nb.", "x"); });
  expect_error(Fault::format, {"latin1"}, [&] {
    parse_pickle(
        "\x80\x02"
        "c_codecs\nencode\n" +
            pickled::text("a") + pickled::text("rot13") + "\x86R.",
        "x");
  });
}

TEST(Pickle, ValuesThatContainThemselvesAreRefused) {
  expect_error(Fault::format, {"into itself"}, [] { parse_pickle(from_hex("80025d71006800612e"), "x"); });
  expect_error(Fault::format, {"is part of another"},
               [] { parse_pickle(from_hex("80025d71006800857101612e"), "x"); });
  expect_error(Fault::format, {"is part of another"},
               [] { parse_pickle(from_hex("80027d71004b015d7101680061732e"), "x"); });
}

TEST(Pickle, DeepNestingNeitherRecursesToReadNorToFree) {
  const std::size_t depth = 500'000;
  const PickleValue root =
      parse_pickle("\x80\x02" + std::string(depth, ']') + std::string(depth - 1, 'a') + ".", "deep");
  EXPECT_EQ(root.size(), 1u);
}

TEST(Pickle, LengthsAndCountsAreCheckedBeforeAnythingIsAllocated) {
  const std::string huge = "\xff\xff\xff\xff";
  expect_error(Fault::format, {"BINUNICODE", "4294967295"},
               [&] { parse_pickle("\x80\x02X" + huge + "a.", "x"); });
  expect_error(Fault::format, {"BINBYTES"}, [&] {
    parse_pickle(
        "\x80\x03"
        "B" +
            huge + "a.",
        "x");
  });
  expect_error(Fault::format, {"LONG_BINPUT"}, [&] { parse_pickle("\x80\x02Nr" + huge + ".", "x"); });
  expect_error(Fault::format, {"LONG_BINGET"}, [&] { parse_pickle("\x80\x02j" + huge + ".", "x"); });
  expect_error(Fault::format, {"too few"}, [&] { parse_pickle("\x80\x02(\x85.", "x"); });
  expect_error(Fault::format, {"no MARK"}, [&] { parse_pickle("\x80\x02Nt.", "x"); });
  expect_error(Fault::format, {"key without"}, [&] { parse_pickle("\x80\x02}(Nu.", "x"); });
  expect_error(Fault::format, {"one value"}, [&] { parse_pickle("\x80\x02NN.", "x"); });
  expect_error(Fault::format, {"1 bytes follow"}, [&] { parse_pickle("\x80\x02N.N", "x"); });
  expect_error(Fault::format, {"ends before"}, [&] { parse_pickle("\x80\x02N", "x"); });
  expect_error(Fault::format, {"ends before"}, [&] { parse_pickle("", "x"); });
}

TEST(Pickle, CopiesOfOneValueCannotFillTheMemory) {
  // A long list made into a set again and again, five bytes each time.
  std::string bytes =
      "\x80\x02"
      "c__builtin__\nfrozenset\nq" +
      std::string(1, '\0') + "](" + std::string(20'000, 'N') + "eq\x01(";
  for (int i = 0; i < 10'000; ++i) bytes += std::string("h\0h\1\x85R", 6);
  expect_error(Fault::format, {"copied"}, [&] { parse_pickle(bytes + "t.", "bomb"); });
  std::string types = "\x80\x02";
  types += "cnumpy\ndtype\nq" + std::string(1, '\0') + pickled::text(std::string(20'000, 'i')) + "q\x01(";
  for (int i = 0; i < 10'000; ++i) types += std::string("h\0h\1\x85R", 6);
  expect_error(Fault::format, {"copied"}, [&] { parse_pickle(types + "t.", "bomb"); });
  // Lists of lists of lists …, each twice the one before: shared, so small.
  std::string doubling = "\x80\x02(](NNeq" + std::string(1, '\0');
  for (char i = 1; i < 100; ++i)
    doubling += std::string("](h") + static_cast<char>(i - 1) + "h" + static_cast<char>(i - 1) + "eq" + i;
  EXPECT_EQ(parse_pickle(doubling + "t.", "doubling").size(), 100u);
}

TEST(ObjectNpy, ListsInFileOrder) {
  using namespace pickled;
  const std::string bytes =
      object_npy({dict({{frozenset({9, 4}), integer(7)}, {frozenset({3}), integer(-1)}}), "N"});
  const ObjectArray array = parse_object_npy(bytes, "x.npy");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2}));
  ASSERT_EQ(array.items.size(), 2u);
  EXPECT_EQ(array.items[0].key(0)[0].integer(), 9);
  EXPECT_EQ(array.items[0].value(1).integer(), -1);
  EXPECT_EQ(array.items[1].kind(), PickleKind::none);
}

TEST(ObjectNpy, OtherFilesAreRefused) {
  expect_error(Fault::format, {"x.npy", "objects"}, [] {
    parse_object_npy(print_npy({1, 1, {2.0}, {}, {}, 0}), "x.npy");
  });
  expect_error(Fault::format, {"x.npy", "objects"}, [] { parse_npy(pickled::object_npy({"N"}), "x.npy"); });
  std::string bytes = pickled::object_npy({"N"});
  const std::size_t at = bytes.find("(1,)");
  bytes[at + 1] = '2';
  expect_error(Fault::format, {"x.npy", "shape"}, [&] { parse_object_npy(bytes, "x.npy"); });
  expect_error(Fault::io, {"nowhere.npy"}, [] { read_object_npy("nowhere.npy"); });
}

// Every byte changed to every other value, and every truncation: an Error of the right kind or a value.
TEST(ObjectNpy, DamageIsAnErrorOrAValue) {
  using namespace pickled;
  int read = 0, refused = 0;
  const auto check = [&](const std::string& bytes) {
    try {
      const std::vector<char> exact(bytes.begin(), bytes.end());  // so that a sanitizer sees the end
      const ObjectArray array = parse_object_npy({exact.data(), exact.size()}, "damaged");
      for (std::size_t i = 0; i < array.items.size(); ++i) array.items[i].kind();
      ++read;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
      EXPECT_EQ(error.fault(), Fault::format) << error.what();
      ++refused;
    }
  };
  const std::string source = object_npy(
      {dict({{frozenset({9, 4}), integer(7)}, {frozenset({4}), integer(1)}}), list({text("ab"), "N"})});
  for (std::size_t at = 0; at < source.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string bytes = source;
      bytes[at] = static_cast<char>(value);
      check(bytes);
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
  const int before = read;
  for (std::size_t size = 0; size < source.size(); ++size) check(source.substr(0, size));
  EXPECT_EQ(read, before);
}

TEST(Pickle, AnArrayHasAtMost64Dimensions) {
  // One shape of many ones that many arrays share took quadratic time.
  using namespace std::string_literals;
  const auto array = [](int ones) {
    std::string bytes =
        "\x80\x03"
        "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85"
        "C\1b\x87R(K\1("s;
    for (int i = 0; i < ones; ++i) bytes += "K\1";
    bytes +=
        "tcnumpy\ndtype\nX\2\0\0\0f8K\0K\1\x87R(K\3X\1\0\0\0<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"s;
    return bytes +
           "\x89"
           "C\x08\0\0\0\0\0\0\0\0tb."s;
  };
  EXPECT_EQ(parse_pickle(array(64), "test").shape().size(), 64u);
  expect_error(Fault::format, {"at most 64 dimensions", "65"}, [&] { parse_pickle(array(65), "test"); });
}

}  // namespace
}  // namespace gsan
