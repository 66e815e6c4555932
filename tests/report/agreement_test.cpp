#include "gsan/report/agreement.h"

#include <gtest/gtest.h>

namespace gsan::report {
namespace {

MeasuredCell cell(double printed, std::optional<double> ours, Verdict verdict, bool is_misprint = false) {
  MeasuredCell made;
  made.column = "ring";
  made.printed = PaperFigure{"GSAN", "ring", printed, 1, is_misprint};
  if (ours) made.values = {*ours}, made.mean = *ours, made.done = made.planned = 1, made.runs = "1";
  made.verdict = verdict;
  return made;
}

std::vector<MeasuredTable> tables() {
  MeasuredTable table;
  table.title = "Walks";
  table.columns = {"ring"};
  table.blocks = {{"",
                   {{"near", RowKind::model, {cell(99, 98.5, Verdict::agrees)}},
                    {"far", RowKind::model, {cell(90, 80, Verdict::setting)}},
                    {"farther", RowKind::rule, {cell(60, 85, Verdict::protocol)}},
                    {"copied", RowKind::model, {cell(50, 90, Verdict::misprint, true)}},
                    {"open", RowKind::model, {cell(70, {}, Verdict::none)}},
                    {"other settings", RowKind::variant, {cell(70, 10, Verdict::none)}},
                    {"elsewhere", RowKind::quoted, {cell(70, {}, Verdict::none)}}}}};
  return {table};
}

TEST(Agreement, CountsPrintedCellsOfRowsThatRunHere) {
  const auto lines = shown_agreement(tables());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], (std::vector<std::string>{"Walks", "5", "4", "1", "1", "1", "1", "2"}));
  EXPECT_EQ(lines[2].front(), "all");
}

TEST(Agreement, ListsWhatLiesFarTheFarthestFirst) {
  const auto lines = shown_misses(tables());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1][1], "farther");
  EXPECT_EQ(lines[1][5], "+25.0");
  EXPECT_EQ(lines[2][1], "far");
  EXPECT_EQ(lines[2][5], "-10.0");
}

}  // namespace
}  // namespace gsan::report
