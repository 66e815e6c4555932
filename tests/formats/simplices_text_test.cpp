#include "gsan/data/formats/text/simplices_text.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

ListedComplex parse(std::string_view text) { return parse_simplices(text, "s.txt").listed; }

std::vector<std::string> listed(const ListedComplex& complex, int order) {
  std::vector<std::string> texts;
  const ListedSimplices& list = complex.list(order);
  for (Index r = 0; r < list.size(); ++r) texts.push_back(complex.labels.text(list.simplex(r)));
  return texts;
}

TEST(SimplicesText, OneSimplexALine) {
  const ListedComplex complex = parse("3 1 2\n# comment\n\n20 10 # tail\n7\n2,1\n");
  EXPECT_EQ(complex.complex.order(), 2);
  EXPECT_EQ(complex.complex.count(0), 6);
  EXPECT_EQ(complex.complex.count(1), 4);
  EXPECT_EQ(listed(complex, 2), (std::vector<std::string>{"(3 1 2)"}));
  EXPECT_EQ(listed(complex, 1), (std::vector<std::string>{"(20 10)", "(2 1)"}));
  EXPECT_EQ(listed(complex, 0), (std::vector<std::string>{"(7)"}));
  EXPECT_EQ(complex.list(2).signs[0], 1);  // (3 1 2) is an even permutation
  EXPECT_EQ(complex.list(1).signs[0], -1);
  EXPECT_EQ(complex.list(1).rows, (std::vector<Index>{3, 0}));
}

TEST(SimplicesText, SeparatorsLineEndsAndMarks) {
  const ListedComplex expected = parse("1 2 3\n4 5\n");
  for (const char* text : {"1,2,3\n4,5\n", "1, 2 ,3\n4\t5", "1 2 3\r\n4 5\r\n",
                           "\xEF\xBB\xBF"
                           "1 2 3\n4 5",
                           "  1  2 3  \n4 5 \n", "\"1\" \"2\",\"3\"\n4 5#6\n"}) {
    if (std::string_view(text).ends_with("#6\n")) {
      EXPECT_EQ(listed(parse(text), 1)[0], "(4 5#6)");  // a '#' inside a word belongs to it
      continue;
    }
    EXPECT_EQ(parse(text).complex, expected.complex) << text;
    EXPECT_EQ(parse(text).labels, expected.labels) << text;
  }
}

TEST(SimplicesText, StringsAndQuotes) {
  const ListedComplex complex = parse("\"New York\" Rome \"a \"\"b\"\"\"\n\"\" \"#x\" é\n");
  EXPECT_EQ(listed(complex, 2), (std::vector<std::string>{"(New York Rome a \"b\")", "( #x é)"}));
  expect_error(Fault::format, {"s.txt:2:3", "not closed"}, [] { parse("a b\nc \"d e\n"); });
  expect_error(Fault::format, {"s.txt:1:4", "follow"}, [] { parse("\"a\"b\n"); });
  expect_error(Fault::format, {"s.txt:1:2", "inside"}, [] { parse("a\"b\n"); });
}

TEST(SimplicesText, MissingLabelsAreErrors) {
  expect_error(Fault::format, {"s.txt:1:3", "missing"}, [] { parse("1,,2\n"); });
  expect_error(Fault::format, {"s.txt:1:1", "missing"}, [] { parse(",1\n"); });
  expect_error(Fault::format, {"s.txt:2:5", "missing"}, [] { parse("1\n1,2,\n"); });
}

TEST(SimplicesText, RepeatedVerticesAreErrorsThatShowTheList) {
  expect_error(Fault::format, {"s.txt:3", "must differ", "(b a b)"}, [] { parse("a b\n\nb a b\n"); });
}

TEST(SimplicesText, RepeatedSimplicesAreOneSimplexListedTwice) {
  const ListedComplex complex = parse("1 2\n2 3\n2 1\n");
  EXPECT_EQ(complex.complex.count(1), 2);
  EXPECT_EQ(complex.list(1).rows, (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(complex.list(1).signs, (std::vector<std::int8_t>{1, 1, -1}));
}

TEST(SimplicesText, EmptyIsTheEmptyComplex) {
  for (const char* text : {"", "\n\n", "# nothing\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(parse(text).complex.order(), -1);
    EXPECT_EQ(print_simplices(parse(text)), "");
  }
  expect_error(Fault::argument, {"order 0 does not exist", "no simplices"}, [] { parse("").list(0); });
  expect_error(Fault::argument, {"order 3 does not exist", "0 ... 1"}, [] { parse("1 2").list(3); });
}

TEST(SimplicesText, AHugeSimplexStopsBeforeItsFacesAreBuilt) {
  std::string line;
  for (int i = 0; i < 60; ++i) line += std::to_string(i) + " ";
  expect_error(Fault::resource, {"s.txt:2", "60 vertices", "2^60"}, [&] { parse("1 2\n" + line); });
  line.clear();
  for (int i = 0; i < 5000; ++i) line += std::to_string(i) + " ";
  expect_error(Fault::resource, {"5000 vertices"}, [&] { parse(line); });
}

TEST(SimplicesText, WrittenListsReadBack) {
  const std::string text =
      "z\n5\n\"New York\"\n5 z\nz -3\n\"a,b\" \"q\"\"q\"\n\"\" \"#\"\n\"\xEF\xBB\xBFm\" \"c\rd\"\n-3 5 z\nz "
      "5 \"New York\"\n";
  const ListedComplex complex = parse(text);
  const std::string printed = print_simplices(complex);
  EXPECT_EQ(printed, text);  // it was listed order by order
  const ListedComplex again = parse(printed);
  EXPECT_EQ(again.labels, complex.labels);
  EXPECT_EQ(again.complex, complex.complex);
  for (int k = 0; k <= 2; ++k) {
    EXPECT_EQ(again.list(k).vertices, complex.list(k).vertices);
    EXPECT_EQ(again.list(k).rows, complex.list(k).rows);
    EXPECT_EQ(again.list(k).signs, complex.list(k).signs);
  }
}

TEST(SimplicesText, LabelsWithLineBreaksCannotBeWritten) {
  std::vector<Vertex> vertices;
  LabelCollector collector;
  collector.add(std::string_view("two\nlines"));
  ListedComplex complex = list_everything(parse("1").complex, collector.finish(vertices));
  expect_error(Fault::argument, {"two\\x0alines", "line break"}, [&] { print_simplices(complex); });
}

TEST(SimplicesText, ALineOf17VerticesAsksForAnOrder) {
  const auto line = [](int vertices) {
    std::string text;
    for (int v = 0; v < vertices; ++v) text += std::to_string(v) + " ";
    return text + "\n";
  };
  EXPECT_EQ(parse(line(16)).complex.order(), 15);
  expect_error(Fault::resource, {":1: ", "17 vertices", "more than 16", "--max-order 16", "--max-order 2"},
               [&] { parse(line(17)); });
  expect_error(Fault::resource, {"24 vertices", "--max-order 23"}, [&] { parse(line(24)); });
  ReadOptions whole;
  whole.max_order = 16;
  EXPECT_EQ(parse_simplices(line(17), "a", whole).listed.complex.order(), 16);
}

TEST(SimplicesText, TextThatIsNotUtf8OrHasLoneReturnsIsRefused) {
  expect_error(Fault::format, {"byte 1", "'\\xfc'", "not UTF-8", "iconv"}, [] { parse("Z\xfcrich x\n"); });
  expect_error(Fault::format, {"byte 3", "carriage return"}, [] { parse("1 2\r2 3\r"); });
  EXPECT_EQ(parse("1 2\r\n2 3\r\n").complex.count(1), 2);
  EXPECT_EQ(parse("1 2\n2 3\r").complex.count(1), 2);  // the last line need not end
}

}  // namespace
}  // namespace gsan
