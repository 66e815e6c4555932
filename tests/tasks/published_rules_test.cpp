// Rules without training, and small models, on the published data, where their files are there: what a
// trained model has to beat.

#include <array>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "gsan/data/sources/citation.h"
#include "gsan/data/sources/flow.h"
#include "gsan/data/sources/ocean.h"
#include "gsan/data/sources/tu.h"
#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/imputation/missing_rows.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/shared/auc.h"
#include "gsan/tasks/shared/class_rules.h"
#include "gsan/tasks/shared/complex_tables.h"
#include "gsan/tasks/shared/neighbor_rules.h"
#include "gsan/tasks/simplex_prediction/task.h"
#include "gsan/tasks/trajectory/task.h"

#include "support/published_data.h"
#include "tasks/task_probes.h"

namespace gsan {
namespace {

struct Summary {
  double mean = 0, deviation = 0, error = 0;  // of the mean
};

Summary summary(const std::vector<double>& values) {
  Summary result;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) result.mean += value / n;
  for (const double value : values)
    result.deviation += (value - result.mean) * (value - result.mean) / (n - 1);
  result.deviation = std::sqrt(result.deviation);
  result.error = result.deviation / std::sqrt(n);
  return result;
}

std::vector<std::int64_t> list_of(const Tensor& labels) {
  const auto* first = labels.const_data_ptr<std::int64_t>();
  return {first, first + labels.numel()};
}

class Citation : public testing::Test {
 protected:
  void SetUp() override {
    const auto file = published_data("citation/150250_cochains.npy");
    GSAN_SKIP_WITHOUT(file, "citation/150250_cochains.npy");
    data_ = read_citation(file, 6);
  }
  CitationDataset data_;
};

std::vector<std::int64_t> others(const std::vector<std::int64_t>& rows, std::int64_t count) {
  std::vector<std::int64_t> rest;
  for (std::int64_t i = 0; i < count; ++i)
    if (!std::binary_search(rows.begin(), rows.end(), i)) rest.push_back(i);
  return rest;
}

// 1 − (m/N)(1 − q), q = share of values within 5 % of 7, for 10 … 50 % missing, orders 0 … 5.
TEST_F(Citation, CopyingTheDamagedInputHasItsClosedForm) {
  const std::pair<int, std::array<double, 6>> rows[] = {{10, {90.56, 90.99, 91.27, 91.57, 91.89, 92.21}},
                                                        {20, {81.38, 82.04, 82.58, 83.15, 83.78, 84.42}},
                                                        {30, {72.20, 73.02, 73.85, 74.72, 75.67, 76.64}},
                                                        {40, {63.02, 64.07, 65.15, 66.30, 67.56, 68.86}},
                                                        {50, {53.84, 55.12, 56.43, 57.87, 59.45, 61.08}}};
  for (int k = 0; k <= 5; ++k) {
    const Tensor& values = data_.data.values[k];
    const auto N = static_cast<double>(values.size(0));
    const double q = (values - 7).abs().le(0.05 * values).to(torch::kFloat64).mean().item<double>();
    for (const auto& [percent, of_orders] : rows) {
      const double expected = of_orders[k];
      const double m = std::ceil(percent * N / 100);
      EXPECT_NEAR(100 * (1 - m / N * (1 - q)), expected, 0.005) << "order " << k << ", " << percent << " %";
      // The same from masks, on average over them.
      double mean = 0;
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto mask = random_mask(values.size(0), percent, RandomStream(seed, "mask"));
        ValueMeter meter;
        meter.add(fill_rule(values, item_tensor(others(mask, values.size(0))), 7), values);
        mean += meter.value().front().second / 40;
      }
      EXPECT_NEAR(mean, expected, 0.5) << "order " << k << ", " << percent << " %";
    }
  }
}

// Mean (sd over masks) of the protocol's page; three standard errors of ten masks, and a rounding.
TEST_F(Citation, NeighborModeIsAsGoodAsThePageSays) {
  struct Row {
    double percent, mean[6], deviation[6];
  };
  const Row rows[] = {{10, {88.1, 98.5, 99.6, 100.0, 99.9, 99.8}, {5.6, 0.9, 0.3, 0.1, 0.1, 0.2}},
                      {50, {85.8, 98.2, 99.6, 99.9, 99.9, 99.7}, {3.3, 0.4, 0.1, 0.1, 0.1, 0.1}}};
  for (const Row& row : rows) {
    for (int k = 0; k <= 5; ++k) {
      const Tensor& values = data_.data.values[k];
      double mean = 0;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto mask = random_mask(values.size(0), row.percent, RandomStream(seed, "mask"));
        const Tensor known = item_tensor(others(mask, values.size(0))), missing = item_tensor(mask);
        const double fill = median_of(values.index_select(0, known));
        const Tensor found = neighbor_mode_rule(data_.data.complex, k, values, known, fill);
        ValueMeter meter;
        meter.add(found.index_select(0, missing), values.index_select(0, missing));
        mean += meter.value().front().second / 10;
      }
      EXPECT_NEAR(mean, row.mean[k], 3 * row.deviation[k] / std::sqrt(10.0) * std::sqrt(2.0) + 0.1)
          << "order " << k << ", " << row.percent << " %";
    }
  }
}

// Where values belong to their simplices, two rules without training solve random splits: three standard
// errors over the splits, and a rounding.
TEST_F(Citation, TheMinimumAndTheCountRuleSolveRandomSplits) {
  for (const auto& [order, expected] : {std::pair{2, 99.5}, std::pair{3, 100.0}}) {
    std::vector<double> count;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const SimplexPrediction task(candidates_of(data_.data, order, 7), RandomStream(seed, "task"),
                                   {.order = order, .message = 0.5, .split = CandidateSplit::random});
      const Tensor truth = task.labels(Phase::test);
      EXPECT_NEAR(100 * area_under_curve(task.smallest_face_value(Phase::test), truth), 100, 0.05);
      count.push_back(100 * area_under_curve(task.message_coface_count(Phase::test), truth));
    }
    const Summary counted = summary(count);
    RecordProperty(concat("count_", order), concat(counted.mean, " (", counted.deviation, ")"));
    EXPECT_NEAR(counted.mean, expected, 3 * std::sqrt(2.0) * counted.error + 0.05) << "order " << order;
  }
}

// Values and labels by position, as behind the printed numbers: three standard errors of the page's mean and
// of ours.
TEST_F(Citation, ThePublishedPipelineScoresWhatThePageSays) {
  struct Row {
    int order, tuple_order;
    double harmonic, deviation, count;
  };
  ValueDataset by_position;
  by_position.name = "citation";
  by_position.complex = data_.data.complex;
  by_position.values = data_.published_values;
  for (const Row& row : {Row{2, 1, 62.8, 2.7, 90.2}, Row{3, 2, 63.6, 1.6, 85.7}}) {
    std::vector<double> harmonic, count;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const PublishedSimplexPrediction task(candidates_of(by_position, row.order, 7),
                                            RandomStream(seed, "split"),
                                            {.order = row.order, .tuple_order = row.tuple_order});
      harmonic.push_back(rule(task, "harmonic mean of the face values", "auc"));
      count.push_back(rule(task, "count of message cofaces", "auc"));
    }
    const Summary mean = summary(harmonic), counted = summary(count);
    RecordProperty(concat("harmonic_mean_", row.order), concat(mean.mean, " (", mean.deviation, ")"));
    RecordProperty(concat("count_", row.order), concat(counted.mean, " (", counted.deviation, ")"));
    EXPECT_NEAR(mean.mean, row.harmonic, 3 * std::hypot(mean.error, row.deviation / std::sqrt(10.0)))
        << row.order;
    EXPECT_NEAR(counted.mean, row.count, 3 * std::sqrt(2.0) * counted.error + 0.05) << row.order;
  }
}

TEST(Flow, WhereAWalkGoesTellsItsClass) {
  SignalDataset data;
  try {
    data = synthetic_flow({.points = 400, .signals = 600, .seed = 0});
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();  // built without Qhull
  }
  const Split split = stratified_split(list_of(data.labels), 0, 1.0 / 3, RandomStream(0, "split"));
  const Trajectory task(data, split, RandomStream(0, "task"));
  EXPECT_EQ(rule(task, "logistic regression on |x|"), 100);
}

TEST(Ocean, LogisticRegressionScoresWhatThePageSays) {
  const auto file = published_data("ocean/dataBuoys.jld2");
  GSAN_SKIP_WITHOUT(file, "ocean/dataBuoys.jld2");
  const SignalDataset data = read_ocean(file);
  std::vector<double> raw, harmonic, products;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Split split = stratified_split(list_of(data.labels), 0, 0.2, RandomStream(seed, "split"));
    ASSERT_EQ(split.test.size(), 40u);
    const Trajectory task(data, split, RandomStream(seed, "task"));
    const auto results = task.rules(Phase::test);
    const auto of = [&](const std::string& name) {
      for (const RuleResult& result : results)
        if (result.name == name) return metric(result.metrics, "accuracy");
      return NAN + 0.0;
    };
    raw.push_back(of("logistic regression on x"));
    harmonic.push_back(of("logistic regression on harmonic coordinates"));
    products.push_back(of("logistic regression on harmonic coordinates, squares and products"));
  }
  const auto expect = [&](const char* name, const std::vector<double>& values, double expected) {
    const Summary mean = summary(values);
    RecordProperty(name, concat(mean.mean, " (", mean.deviation, ")"));
    EXPECT_NEAR(mean.mean, expected, 3 * std::sqrt(2.0) * mean.error + 0.05) << name;
  };
  expect("harmonic", harmonic, 96.4);
  expect("products", products, 99.2);
  // The harmonic coordinates hold what the raw flow hides.
  RecordProperty("raw", concat(summary(raw).mean, " (", summary(raw).deviation, ")"));
  EXPECT_LT(summary(raw).mean, summary(harmonic).mean);
}

// Ten folds; three standard errors over the folds.
void expect_label_counts(const std::string& name, double logistic, std::optional<double> forest) {
  const auto folder = published_data("tu/" + name);
  GSAN_SKIP_WITHOUT(folder, "tu/" + name);
  const ComplexDataset data = read_tu_dataset(folder);
  const std::vector<std::int64_t> labels = list_of(data.labels);
  const std::vector<int> folds = stratified_folds(labels, 10, RandomStream(0, "folds"));
  const Tensor features = sums_and_sizes(data);
  std::vector<double> linear, trees;
  for (int fold = 0; fold < 10; ++fold) {
    const Split split = split_of_fold(labels, folds, fold, 0, RandomStream(0, "split"));
    if (forest) {
      const GraphClassification task(data, split, RandomStream(0, "task"));
      const auto results = task.rules(Phase::test);
      linear.push_back(metric(results[1].metrics, "accuracy"));
      trees.push_back(metric(results[2].metrics, "accuracy"));
    } else {  // the same table and the same regression, without the trees, which are slow on many graphs
      ClassRules alone(data.labels, data.classes, split.train, split.test);
      alone.add_logistic("logistic", features, 1, true);
      linear.push_back(metric(alone.results().front().metrics, "accuracy"));
    }
  }
  const auto expect = [](const char* rule_name, const std::vector<double>& values, double expected) {
    const Summary mean = summary(values);
    testing::Test::RecordProperty(rule_name, concat(mean.mean, " (", mean.deviation, ")"));
    EXPECT_NEAR(mean.mean, expected, 3 * mean.error) << rule_name;
  };
  expect("logistic", linear, logistic);
  if (forest) expect("forest", trees, *forest);
}

TEST(Proteins, LabelCountsScoreWhatThePageSays) { expect_label_counts("PROTEINS", 74.0, 74.4); }
TEST(Nci1, LabelCountsScoreWhatThePageSays) { expect_label_counts("NCI1", 65.5, std::nullopt); }

TEST_F(Citation, PositivesAreAsManyAsThePageSays) {
  EXPECT_EQ(data_.data.values[2].gt(7).sum().item<std::int64_t>(), 1482);
  EXPECT_EQ(data_.data.values[3].gt(7).sum().item<std::int64_t>(), 2235);
}

}  // namespace
}  // namespace gsan
