#include "gsan/train/run_curves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

TEST(RunCurves, HaveTheEpochsThatHaveTheMetric) {
  const TemporaryFolder run;
  write_file_atomically(run / "manifest.json", "{}");
  write_file_atomically(
      run / "metrics.jsonl",
      "{\"epoch\":1,\"train.loss\":2}\n{\"epoch\":2,\"train.loss\":null,\"validation.accuracy\":50}\n"
      "{\"epoch\":3,\"train.lo");  // being written
  const std::vector<RunCurve> curves = read_run_curves(run / ".");
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].metric, "train.loss");
  EXPECT_EQ(curves[0].epochs, (std::vector<double>{1, 2}));
  EXPECT_EQ(curves[0].values[0], 2);
  EXPECT_TRUE(std::isnan(curves[0].values[1]));
  EXPECT_EQ(curves[1].epochs, (std::vector<double>{2}));
}

TEST(RunCurves, AMetricIsNamedByItsPart) {
  EXPECT_EQ(part_and_metric("validation.loss"), (std::pair<std::string, std::string>("validation", "loss")));
  EXPECT_EQ(part_and_metric("learning_rate"), (std::pair<std::string, std::string>("", "learning_rate")));
}

TEST(RunCurves, NameAFolderThatHoldsNoRunAndARunWithoutEpochs) {
  const TemporaryFolder run;
  expect_error(Fault::argument, {"is not a run folder", "gsan train"},
               [&] { read_run_curves(run / "nothing"); });
  write_file_atomically(run / "manifest.json", "{}");
  expect_error(Fault::argument, {"no epoch yet", "--resume"}, [&] { read_run_curves(run / "."); });
}

}  // namespace
}  // namespace gsan
