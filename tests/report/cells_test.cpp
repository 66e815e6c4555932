#include "gsan/report/cells.h"

#include <cmath>

#include <gtest/gtest.h>

#include "report/sample_records.h"

namespace gsan::report {
namespace {

constexpr const char* nowhere = "/nowhere";

struct Case {
  std::vector<double> values;
  PaperFigure printed;
  Verdict expected;
};

TEST(Cells, TheVerdictIsTheReasonOfADifference) {
  // standard error of {90, 92}: 1
  const PaperFigure far{"GSAN", "ring", 95, 1, false}, near{"GSAN", "ring", 94, 1, false},
      misprint{"GSAN", "ring", 91, 1, true};
  const PlannedTable published{.protocol = Protocol::published, .columns = {"ring"}, .blocks = {}};
  const PlannedTable strict{.protocol = Protocol::strict, .columns = {"ring"}, .blocks = {}};
  for (const auto& [values, printed, expected] :
       {Case{{90, 92}, near, Verdict::agrees}, Case{{90, 92}, far, Verdict::setting},
        Case{{91}, near, Verdict::setting},  // a single run has no standard error
        Case{{90, 92}, misprint, Verdict::misprint}, Case{{}, near, Verdict::none},
        Case{{}, misprint, Verdict::misprint}}) {
    RecordStore store(nowhere);
    PlannedCell cell = planned_cell(store, values);
    cell.printed = printed;
    const PlannedRow row{.name = "GSAN", .rule = "", .kind = RowKind::model, .cells = {}};
    EXPECT_EQ(measure(published, row, cell, store).verdict, expected);
    EXPECT_EQ(measure(strict, row, cell, store).verdict, Verdict::none);
    const PlannedRow variant{.name = "GSAN, tuned", .rule = "", .kind = RowKind::variant, .cells = {}};
    EXPECT_EQ(measure(published, variant, cell, store).verdict, Verdict::none);
    cell.is_other_protocol = true;
    EXPECT_EQ(measure(published, row, cell, store).verdict,
              expected == Verdict::setting ? Verdict::protocol : expected);
  }
}

TEST(Cells, MeanDeviationAndStandardError) {
  RecordStore store(nowhere);
  const PlannedCell cell = planned_cell(store, {90, 92, 97});
  const PlannedTable table{.columns = {"ring"}, .blocks = {}};
  const MeasuredCell measured = measure(table, {.name = "GSAN", .rule = "", .cells = {}}, cell, store);
  EXPECT_DOUBLE_EQ(measured.mean, 93);
  EXPECT_DOUBLE_EQ(*measured.sd, std::sqrt(13.0));
  EXPECT_DOUBLE_EQ(*measured.standard_error, std::sqrt(13.0 / 3));
  EXPECT_EQ(measured.runs, "3");
  EXPECT_DOUBLE_EQ(*measured.last, 89);
}

TEST(Cells, ARuleIsReadFromRecordsOfRules) {
  RecordStore store(nowhere);
  store.add(sample_rules());
  const PlannedCell cell{.column = "ring", .runs = {run_of(sample_rules())}};
  const PlannedTable table{.curve = "validation.accuracy", .columns = {"ring"}, .blocks = {}};
  const PlannedRow row{.name = "majority", .rule = "majority class", .kind = RowKind::rule, .cells = {}};
  const MeasuredCell measured = measure(table, row, cell, store);
  EXPECT_EQ(measured.values, std::vector<double>{55});
  EXPECT_FALSE(measured.standard_error);
}

TEST(Cells, TheBestEpochOfTheMeanCurveAndItsStandardErrorOverSeeds) {
  RecordStore store(nowhere);
  PlannedCell cell{.column = "ring", .runs = {}};
  const std::vector<std::vector<double>> curves{{50, 80, 60}, {70, 60, 60}, {90, 10, 20}, {80, 30, 40}};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    Record record = sample_record(concat("fold-", i), i / 2);
    record.key.set = {concat("split.fold=", i % 2)};
    record.curve = curves[i];
    cell.runs.push_back(run_of(record));
    store.add(record);
  }
  const PlannedTable table{.curve = "validation.accuracy", .columns = {"ring"}, .blocks = {}};
  const MeasuredCell measured = measure(table, {.name = "GSAN", .rule = "", .cells = {}}, cell, store);
  EXPECT_EQ(measured.values, (std::vector<double>{70, 85}));
  EXPECT_EQ(measured.runs, "2 x 2");
  EXPECT_DOUBLE_EQ(*measured.standard_error, 7.5);
  EXPECT_DOUBLE_EQ(*measured.own_best, 80);
  EXPECT_DOUBLE_EQ(*measured.last, 45);
}

}  // namespace
}  // namespace gsan::report
