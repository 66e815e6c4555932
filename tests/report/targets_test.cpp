#include "gsan/report/targets.h"

#include <gtest/gtest.h>

namespace gsan::report {
namespace {

MeasuredRow row(const std::string& name, RowKind kind, double value, bool is_printed = false) {
  MeasuredCell cell;
  cell.column = "ring";
  cell.values = {value};
  cell.seeds = {0};
  cell.mean = value;
  cell.done = cell.planned = 1;
  cell.runs = std::to_string(cell.done);
  if (is_printed) cell.printed = PaperFigure{name, "ring", 95, 1, false};
  return {name, kind, {cell}};
}

std::vector<MeasuredTable> tables() {
  MeasuredTable table{.name = "walks",
                      .title = "",
                      .metric = "",
                      .says = "",
                      .protocol = Protocol::published,
                      .columns = {"ring"},
                      .blocks = {},
                      .by_hand = {}};
  table.blocks.push_back({"",
                          {row("GSAN", RowKind::model, 90, true), row("GSAN, tuned", RowKind::variant, 96),
                           row("majority", RowKind::rule, 55)}});
  return {table};
}

Target target(const std::vector<std::string>& rows) {
  Target made;
  made.says = "the printed number";
  made.table = "walks";
  made.protocol = Protocol::published;
  made.rows = rows;
  made.at_least_printed = true;
  return made;
}

TEST(Targets, AVariantNeverCountsAsThePapersRow) {
  const auto judged = judge_targets({target({"GSAN", "GSAN, tuned"})}, tables());
  ASSERT_EQ(judged.size(), 2u);
  EXPECT_EQ(judged[0].line, "as printed");
  EXPECT_EQ(judged[0].state, "missed");
  EXPECT_EQ(judged[0].worst, "ring: GSAN 90.00 (1) against 95.00");
  EXPECT_EQ(judged[1].line, "best variant");
  EXPECT_EQ(judged[1].state, "met");
  EXPECT_EQ(judged[1].worst, "ring: GSAN, tuned 96.00 (1) against 95.00");
}

TEST(Targets, WithoutVariantsThereIsOneLine) {
  const auto judged = judge_targets({target({"GSAN"})}, tables());
  ASSERT_EQ(judged.size(), 1u);
  EXPECT_EQ(judged[0].line, "");
  EXPECT_EQ(judged[0].state, "missed");
}

TEST(Targets, OtherProtocolsAreLeftOut) {
  Target strict = target({"GSAN"});
  strict.protocol = Protocol::strict;
  EXPECT_TRUE(judge_targets({strict}, tables()).empty());
}

}  // namespace
}  // namespace gsan::report
