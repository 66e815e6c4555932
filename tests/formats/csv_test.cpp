#include "gsan/data/formats/text/csv.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

using Records = std::vector<std::vector<std::string>>;

Records read(std::string_view text, char delimiter = ',') {
  CsvReader csv(text, "t.csv", delimiter);
  Records records;
  while (csv.next()) {
    auto& record = records.emplace_back();
    for (const CsvField& field : csv.fields()) record.emplace_back(field.text);
  }
  return records;
}

TEST(Csv, FieldsAndRecords) {
  EXPECT_EQ(read("a,b\n1,2\n"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(read("1,,3\n,\n"), (Records{{"1", "", "3"}, {"", ""}}));
  EXPECT_EQ(read("  1 ,\t2  \n"), (Records{{"1", "2"}}));
  EXPECT_EQ(read(""), Records{});
  EXPECT_EQ(read("\n\n"), Records{});
}

TEST(Csv, LineEndsMarksAndComments) {
  const Records expected{{"1", "2"}, {"3", "4"}};
  EXPECT_EQ(read("1,2\n3,4"), expected);
  EXPECT_EQ(read("1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "1,2\n3,4\n"),
            expected);
  EXPECT_EQ(read("# c\n\n1,2\n  # d\n3,4\n   \n"), expected);
}

TEST(Csv, Quotes) {
  EXPECT_EQ(read("\"a,b\",\"c\"\"d\",\"\"\n"), (Records{{"a,b", "c\"d", ""}}));
  EXPECT_EQ(read("\"\"\"\"\n"), (Records{{"\""}}));
  EXPECT_EQ(read("\"two\nlines\",2\nnext,3\n"), (Records{{"two\nlines", "2"}, {"next", "3"}}));
  EXPECT_EQ(read("\"#no comment\",1"), (Records{{"#no comment", "1"}}));
  expect_error(Fault::format, {"t.csv:2:3", "never closed"}, [] { read("1,2\n3,\"4\n5,6\n"); });
  expect_error(Fault::format, {"t.csv:1:4", "closing quote"}, [] { read("\"a\"b,1\n"); });
  expect_error(Fault::format, {"t.csv:1:2", "unquoted field"}, [] { read("a\"b,1\n"); });
}

TEST(Csv, OtherDelimiters) {
  EXPECT_EQ(read("1;2\n", ';'), (Records{{"1", "2"}}));
  EXPECT_EQ(read("1\t\t2\n\t\t\n", '\t'), (Records{{"1", "", "2"}, {"", "", ""}}));
  EXPECT_EQ(read(" 1   2\t3 \n\"a b\" c\n", ' '), (Records{{"1", "2", "3"}, {"a b", "c"}}));
  EXPECT_EQ(detect_delimiter("# x;y\n\n1,2\n", 'z'), ',');
  EXPECT_EQ(detect_delimiter("\"a,b\";c\n", 'z'), ';');
  EXPECT_EQ(detect_delimiter("a, b\tc\n", 'z'), '\t');
  EXPECT_EQ(detect_delimiter("a b\n", 'z'), 'z');
  EXPECT_EQ(detect_delimiter("", 'z'), 'z');
}

TEST(Csv, PlacesCountLinesInsideQuotes) {
  CsvReader csv("\"a\nb\",c\nd,e\n", "t.csv", ',');
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.fields()[1].line, 2u);
  EXPECT_EQ(csv.fields()[1].column, 4u);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.fields()[0].line, 3u);
}

TEST(Csv, WrittenFieldsReadBack) {
  const std::vector<std::string> fields{
      "plain", "a b",        " a",   "a,b", "a;b", "a\tb", "q\"q",
      "\"",    "two\nlines", "#x",   "",    "1",   "%",    "\xEF\xBB\xBFmark",
      "é",     "\r",         "x\r\n"};
  for (const std::string& first : fields) {
    for (const std::string& second : fields) {
      std::string text;
      append_csv_field(text, first);
      text += ',';
      append_csv_field(text, second);
      EXPECT_EQ(read(text + "\n"), (Records{{first, second}})) << text;
    }
  }
  std::string text;
  expect_error(Fault::argument, {"zero byte"}, [&] { append_csv_field(text, std::string_view("a\0b", 3)); });
}

TEST(Csv, ZeroBytesAreNoText) {
  expect_error(Fault::format, {"t.csv", "byte 1"}, [] { read(std::string_view("1\0,2", 4)); });
}

}  // namespace
}  // namespace gsan
