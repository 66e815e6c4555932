#include "gsan/report/plan.h"

#include <set>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/report/resolved_config.h"

namespace gsan::report {
namespace {

const std::filesystem::path experiments = std::filesystem::path(GSAN_SOURCE_DIR) / "experiments";

// The planner reads a config once a cell and changes seed and fold in its text.
TEST(Plan, TheHashOfARunIsThatOfItsConfigReadByItself) {
  for (const Protocol protocol : {Protocol::strict, Protocol::published}) {
    PlanChoice choice;
    choice.protocol = protocol;
    const std::vector<RunToDo> runs = all_runs(make_plan(experiments, choice));
    ASSERT_GT(runs.size(), 3000u);
    for (std::size_t i = 0; i < runs.size(); i += 37) {
      const PlannedRun& run = runs[i].run;
      const std::filesystem::path file = experiments / run.key.config;
      const ResolvedConfig read(parse_run_settings(read_file(file), file.string(), run.key.overrides()));
      EXPECT_EQ(run.resolved, run.key.kind == RecordKind::model ? read.hash() : read.task_hash()) << run.name;
    }
  }
}

TEST(Plan, RulesOfOneTaskAreMeasuredOnceAndWithoutAModel) {
  PlanChoice choice;
  choice.tables = {"imputation"};
  choice.blocks = {"10 % missing, random"};
  choice.columns = {"order 0"};
  choice.rows = {"fill (median)", "neighbour mode", "neighbour mean"};
  choice.seeds = 2;
  const std::vector<RunToDo> runs = all_runs(make_plan(experiments, choice));
  ASSERT_EQ(runs.size(), 2u);  // one a seed for the three
  for (const RunToDo& todo : runs) EXPECT_EQ(todo.run.key.kind, RecordKind::rules);
}

TEST(Plan, ABlockMayHaveMoreSeedsThanItsTable) {
  PlanChoice choice;
  choice.tables = {"simplex-prediction"};
  choice.columns = {"2-simplex"};
  choice.rows = {"SAN, topology only"};
  choice.blocks = {"by paper"};
  const std::vector<RunToDo> few = all_runs(make_plan(experiments, choice));
  choice.blocks = {"by paper, 200 splits"};
  const std::vector<RunToDo> many = all_runs(make_plan(experiments, choice));
  EXPECT_EQ(few.size(), 10u);
  ASSERT_EQ(many.size(), 200u);
  EXPECT_EQ(many.front().run.resolved, few.front().run.resolved);  // one measurement counts for both
}

TEST(Plan, AVariantNamesARowOfThePaperAndIsNotPrintedItself) {
  PlanChoice choice;
  choice.protocol = Protocol::published;
  int variants = 0;
  for (const PlannedTable& table : make_plan(experiments, choice))
    for (const PlannedBlock& block : table.blocks)
      for (const PlannedRow& row : block.rows)
        for (const PlannedCell& cell : row.cells)
          if (row.kind == RowKind::variant) {
            ++variants;
            EXPECT_FALSE(cell.printed) << table.name << " " << row.name;
          }
  EXPECT_GT(variants, 5);
  for (const TableSource& table : read_tables(experiments).tables)
    for (const auto& [protocol, plan] : table.protocols)
      for (const BlockSource& block : plan.blocks) {
        std::set<std::string> printed;
        for (const RowSource& row : block.rows)
          if (!row.paper.empty()) printed.insert(row.name);
        for (const RowSource& row : block.rows)
          if (!row.variant_of.empty()) {
            EXPECT_TRUE(printed.contains(row.variant_of)) << row.name;
          }
      }
}

TEST(Plan, SlugsAreLettersDigitsAndHyphens) { EXPECT_EQ(slug("GSAN (no harmonic)"), "gsan-no-harmonic"); }

}  // namespace
}  // namespace gsan::report
