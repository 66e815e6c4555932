#include "gsan/report/forms.h"

#include <gtest/gtest.h>

namespace gsan::report {
namespace {

MeasuredCell cell(double value, bool is_printed) {
  MeasuredCell made;
  made.column = "ring";
  made.values = {value};
  made.mean = value;
  made.done = made.planned = 1;
  made.runs = std::to_string(made.done);
  if (is_printed) made.printed = PaperFigure{"GSAN", "ring", 99, 1, false}, made.verdict = Verdict::agrees;
  return made;
}

MeasuredTable table(Protocol protocol) {
  MeasuredTable made{.name = "walks",
                     .title = "Walks",
                     .metric = "accuracy",
                     .says = "",
                     .protocol = protocol,
                     .columns = {"ring"},
                     .blocks = {},
                     .by_hand = {}};
  made.blocks.push_back({"",
                         {{"GSAN", RowKind::model, {cell(98.5, true)}},
                          {"GSAN, tuned", RowKind::variant, {cell(99.5, false)}},
                          {"majority", RowKind::rule, {cell(55, false)}},
                          {"SAT", RowKind::quoted, {}}}});
  return made;
}

std::vector<std::string> names(const ShownTable& shown) {
  std::vector<std::string> all;
  for (std::size_t r = 1; r < shown.rows.size(); ++r) all.push_back(shown.rows[r][0]);
  return all;
}

TEST(Forms, AVariantStandsApartFromThePapersRows) {
  const auto shown = shown_tables(table(Protocol::published), "±", true);
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(names(shown[0]), std::vector<std::string>{"GSAN"});
  EXPECT_EQ(shown[0].rows[1], (std::vector<std::string>{"GSAN", "99.0 ± 1.0", "98.5 (1)", "agrees"}));
  EXPECT_EQ(names(shown[1]), std::vector<std::string>{"GSAN, tuned"});
  EXPECT_EQ(names(shown[2]), std::vector<std::string>{"majority"});
}

TEST(Forms, PrintedNumbersDoNotStandBesideStrictOnes) {
  for (const ShownTable& shown : shown_tables(table(Protocol::strict), "±", true))
    for (const auto& row : shown.rows) EXPECT_EQ(row.size(), 2u);
}

TEST(Forms, ABarIsEscapedInMarkdown) {
  EXPECT_EQ(markdown_table({{"a", "b"}, {"|x|", "1"}}), "| a | b |\n|---|--:|\n| \\|x\\| | 1 |\n");
}

}  // namespace
}  // namespace gsan::report
