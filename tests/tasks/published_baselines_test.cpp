// Rules without training on the real citation complex, where its file is there: what a trained model has to
// beat.

#include <gtest/gtest.h>

#include "gsan/data/citation.h"
#include "gsan/tasks/auc.h"
#include "gsan/tasks/imputation.h"
#include "gsan/tasks/simplex_prediction.h"

#include "support/published_data.h"

namespace gsan {
namespace {

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

// 1 − (m/N)(1 − q), q = share of values within 5 % of 7, for 10 % and 50 % missing, orders 0 … 5.
TEST_F(Citation, CopyingTheDamagedInputHasItsClosedForm) {
  const double ten[] = {90.56, 90.99, 91.27, 91.57, 91.89, 92.21},
               fifty[] = {53.84, 55.12, 56.43, 57.87, 59.45, 61.08};
  for (int k = 0; k <= 5; ++k) {
    const Tensor& values = data_.data.values[k];
    const auto N = static_cast<double>(values.size(0));
    const double q = (values - 7).abs().le(0.05 * values).to(torch::kFloat64).mean().item<double>();
    for (const auto& [percent, expected] : {std::pair{10, ten[k]}, std::pair{50, fifty[k]}}) {
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

// Where values belong to their simplices, two rules without training solve a random split.
TEST_F(Citation, TheMinimumRuleSolvesRandomSplits) {
  for (const int order : {2, 3}) {
    const SimplexPrediction task(data_.data, RandomStream(0, "task"),
                                 {.order = order, .message = 0.5, .split = CandidateSplit::random});
    EXPECT_NEAR(100 * area_under_curve(task.smallest_face_value(Phase::test), task.labels(Phase::test)), 100,
                0.05);
    EXPECT_GE(100 * area_under_curve(task.message_coface_count(Phase::test), task.labels(Phase::test)), 98.5);
  }
}

TEST_F(Citation, PositivesAreAsManyAsThePageSays) {
  EXPECT_EQ(data_.data.values[2].gt(7).sum().item<std::int64_t>(), 1482);
  EXPECT_EQ(data_.data.values[3].gt(7).sum().item<std::int64_t>(), 2235);
}

}  // namespace
}  // namespace gsan
