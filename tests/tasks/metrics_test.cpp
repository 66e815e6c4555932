// Every formula of a metric beside the plainest way to write it down.

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/random.h"
#include "gsan/tasks/shared/auc.h"
#include "gsan/tasks/shared/average_precision.h"
#include "gsan/tasks/shared/class_meter.h"
#include "gsan/tasks/shared/class_scores.h"
#include "gsan/tasks/shared/value_errors.h"
#include "gsan/tasks/simplex_prediction/candidate_meter.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"

namespace gsan {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::int64_t>;

struct Sample {
  Numbers scores;
  Labels labels;
  Tensor score() const { return torch::tensor(scores, torch::kFloat64); }
  Tensor label() const { return torch::tensor(labels, torch::kInt64); }
};

// Few distinct scores, so that most items are tied; the first two have different labels.
Sample tied_sample(int count, std::uint64_t seed, int levels = 4) {
  RandomStream stream(seed, "sample");
  Sample sample;
  for (int i = 0; i < count; ++i) {
    sample.scores.push_back(static_cast<double>(stream.below(static_cast<std::uint64_t>(levels))) - 1.5);
    sample.labels.push_back(i < 2 ? i : static_cast<std::int64_t>(stream.below(2)));
  }
  return sample;
}

// Every pair of a positive and a negative.
double naive_auc(const Numbers& scores, const Labels& labels, std::int64_t positive = 1) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[i] != positive || labels[j] == positive) continue;
      sum += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
      ++pairs;
    }
  return sum / pairs;
}

// Precision and recall at every threshold that is a score, from the largest down.
double naive_average_precision(const Sample& sample) {
  Numbers thresholds = sample.scores;
  std::sort(thresholds.rbegin(), thresholds.rend());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  const double positives =
      static_cast<double>(std::count(sample.labels.begin(), sample.labels.end(), std::int64_t{1}));
  double sum = 0, last_recall = 0;
  for (const double threshold : thresholds) {
    double found = 0, right = 0;
    for (std::size_t i = 0; i < sample.labels.size(); ++i) {
      if (sample.scores[i] < threshold) continue;
      ++found;
      right += static_cast<double>(sample.labels[i]);
    }
    sum += (right / positives - last_recall) * right / found;
    last_recall = right / positives;
  }
  return sum;
}

TEST(AveragePrecision, IsTheSumOverThresholdsWithTiesTakenTogether) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample sample = tied_sample(15, seed);
    EXPECT_NEAR(average_precision(sample.score(), sample.label()), naive_average_precision(sample), 1e-12);
    EXPECT_NEAR(area_under_curve(sample.score(), sample.label()), naive_auc(sample.scores, sample.labels),
                1e-12);
  }
  // One score for all: the share of the positives, whatever their order.
  EXPECT_EQ(average_precision(torch::zeros({4}), torch::tensor({1, 0, 0, 0}, torch::kInt64)), 0.25);
  EXPECT_EQ(average_precision(torch::zeros({4}), torch::tensor({0, 0, 0, 1}, torch::kInt64)), 0.25);
  expect_error(Fault::argument, {"average_precision", "at least one"},
               [] { average_precision(torch::zeros({2}), torch::zeros({2})); });
  expect_error(Fault::argument, {"average_precision", "finite"},
               [] { average_precision(torch::full({2}, NAN), torch::ones({2})); });
}

TEST(ClassScores, CountEveryItemByItsClassAndItsAnswer) {
  const Labels labels{0, 0, 0, 1, 1, 2},
      answers{0, 0, 1, 1, 0, 1};  // nothing is given to 2; 3 does not occur
  const ConfusionMatrix matrix = count_answers({"a", "b", "c", "d"}, labels, answers);
  for (std::size_t truth = 0; truth < 4; ++truth)
    for (std::size_t answer = 0; answer < 4; ++answer) {
      std::int64_t count = 0;
      for (std::size_t i = 0; i < labels.size(); ++i)
        count +=
            labels[i] == static_cast<std::int64_t>(truth) && answers[i] == static_cast<std::int64_t>(answer);
      EXPECT_EQ(matrix.count(truth, answer), count);
    }
  const std::vector<ClassScores> scores = class_scores(matrix);
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_EQ(scores[0].count, 3);
  EXPECT_NEAR(scores[0].precision, 100.0 * 2 / 3, 1e-12);
  EXPECT_NEAR(scores[0].recall, 100.0 * 2 / 3, 1e-12);
  EXPECT_NEAR(scores[1].precision, 100.0 / 3, 1e-12);
  EXPECT_NEAR(scores[1].recall, 50, 1e-12);
  EXPECT_NEAR(scores[1].f1, 100 * 2 * (1.0 / 3 * 0.5) / (1.0 / 3 + 0.5), 1e-12);  // harmonic mean
  EXPECT_TRUE(std::isnan(scores[2].precision));
  EXPECT_EQ(scores[2].recall, 0);
  EXPECT_EQ(scores[2].f1, 0);
  EXPECT_TRUE(std::isnan(scores[3].precision) && std::isnan(scores[3].recall) && std::isnan(scores[3].f1));
  EXPECT_NEAR(balanced_accuracy(scores), (200.0 / 3 + 50 + 0) / 3, 1e-12);  // d does not occur
  EXPECT_NEAR(macro_f1(scores), (200.0 / 3 + 40 + 0) / 3, 1e-12);
  EXPECT_TRUE(std::isnan(balanced_accuracy({})) && std::isnan(macro_f1({})));
}

TEST(ClassMeter, DetailsOfTwoClassesAreThoseOfTheSecond) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Sample sample = tied_sample(20, seed);
    const Tensor logits = torch::stack({torch::zeros({20}, torch::kFloat64), sample.score()}, 1);
    ClassMeter meter(std::vector<std::string>{"no", "yes"});
    meter.add(logits.slice(0, 0, 7), sample.label().slice(0, 0, 7));  // batches make no difference
    meter.add(logits.slice(0, 7), sample.label().slice(0, 7));
    meter.add(torch::zeros({1, 2}, torch::kFloat64), torch::full({1}, unknown_label, torch::kInt64));
    const MetricDetails details = meter.details();
    EXPECT_NEAR(metric(details.metrics, "auc"), 100 * naive_auc(sample.scores, sample.labels), 1e-10);
    EXPECT_NEAR(metric(details.metrics, "average_precision"), 100 * naive_average_precision(sample), 1e-10);
    for (const auto& [name, value] : meter.value()) EXPECT_EQ(metric(details.metrics, name), value);
    EXPECT_EQ(details.confusion->total(), 20);
    EXPECT_NEAR(metric(details.metrics, "accuracy"), 5.0 * static_cast<double>(details.confusion->correct()),
                1e-12);
    EXPECT_EQ(details.classes[1].name, "yes");
  }
}

TEST(ClassMeter, TheAucOfMoreClassesIsTheMeanOverThoseThatOccur) {
  RandomStream stream(3, "logits");
  std::vector<Numbers> odds(4);
  Numbers logits;
  Labels labels;
  for (int i = 0; i < 30; ++i) {
    double row[4], sum = 0;
    for (double& logit : row) {
      logit = static_cast<double>(stream.below(3));
      sum += std::exp(logit);
      logits.push_back(logit);
    }
    for (std::size_t c = 0; c < 4; ++c) odds[c].push_back(std::round(1e9 * std::exp(row[c]) / sum));
    labels.push_back(static_cast<std::int64_t>(stream.below(3)));  // class 3 does not occur
  }
  ClassMeter meter(4);
  meter.add(torch::tensor(logits, torch::kFloat64).view({30, 4}), torch::tensor(labels, torch::kInt64));
  const MetricDetails details = meter.details();
  double sum = 0;
  for (std::int64_t c = 0; c < 3; ++c) sum += naive_auc(odds[static_cast<std::size_t>(c)], labels, c);
  EXPECT_NEAR(metric(details.metrics, "auc"), 100 * sum / 3, 1e-9);
  for (const auto& [name, value] : details.metrics) EXPECT_NE(name, "average_precision");
}

TEST(ClassMeter, WhatIsNotDefinedIsLeftOut) {
  const auto names = [](const MetricDetails& details) {
    std::vector<std::string> all;
    for (const auto& [name, value] : details.metrics) all.push_back(name);
    return all;
  };
  ClassMeter empty(2), one_class(2), infinite(2);
  EXPECT_EQ(names(empty.details()), (std::vector<std::string>{"accuracy", "loss"}));
  one_class.add(torch::zeros({3, 2}), torch::ones({3}, torch::kInt64));
  EXPECT_EQ(names(one_class.details()),
            (std::vector<std::string>{"accuracy", "balanced_accuracy", "macro_f1", "loss"}));
  infinite.add(torch::full({2, 2}, NAN), torch::tensor({0, 1}, torch::kInt64));
  EXPECT_EQ(names(infinite.details()).size(), 4u);
}

// A probability rounds to 1 long before its logit stops to say which item is more certain.
TEST(ClassMeter, CertainAnswersAreStillRanked) {
  ClassMeter meter(2);
  meter.add(torch::tensor({{0., 800.}, {0., 900.}}, torch::kFloat64), torch::tensor({0, 1}, torch::kInt64));
  EXPECT_EQ(metric(meter.details().metrics, "auc"), 100);
}

TEST(CandidateMeter, DetailsAreOfTheAnswersAtOneHalf) {
  const Sample sample = tied_sample(25, 8);
  CandidateMeter meter;
  meter.add(sample.score(), sample.label());
  const MetricDetails details = meter.details();
  double right = 0, found = 0, positives = 0, both = 0;
  for (std::size_t i = 0; i < 25; ++i) {
    const bool answer = 1 / (1 + std::exp(-sample.scores[i])) > 0.5, truth = sample.labels[i] == 1;
    right += answer == truth;
    found += answer;
    positives += truth;
    both += answer && truth;
  }
  const double recall = both / positives, other = (25 - positives - (found - both)) / (25 - positives);
  EXPECT_NEAR(metric(details.metrics, "accuracy"), 100 * right / 25, 1e-10);
  EXPECT_NEAR(metric(details.metrics, "balanced_accuracy"), 50 * (recall + other), 1e-10);
  EXPECT_NEAR(metric(details.metrics, "f1"), 100 * 2 * both / (found + positives), 1e-10);
  EXPECT_NEAR(metric(details.metrics, "average_precision"), 100 * naive_average_precision(sample), 1e-10);
  EXPECT_NEAR(metric(details.metrics, "auc"), 100 * naive_auc(sample.scores, sample.labels), 1e-10);
  EXPECT_EQ(details.metrics.back(), meter.value().back());
  EXPECT_TRUE(CandidateMeter().details().metrics.empty());
}

TEST(ValueErrors, AreThoseOfTheKnownValues) {
  const Numbers found{1, 2.04, 3, 10, 7}, truth{1.5, 2, 3, 8, NAN};
  ValueErrors errors;
  errors.add(torch::tensor({found[0], found[1]}), torch::tensor({truth[0], truth[1]}));
  errors.add(torch::tensor({found[2], found[3], found[4]}, torch::kFloat64),
             torch::tensor({truth[2], truth[3], truth[4]}, torch::kFloat64));
  double mean = 0, absolute = 0, squares = 0, spread = 0;
  for (int i = 0; i < 4; ++i) mean += truth[i] / 4;
  for (int i = 0; i < 4; ++i) {
    absolute += std::abs(found[i] - truth[i]);
    squares += std::pow(found[i] - truth[i], 2);
    spread += std::pow(truth[i] - mean, 2);
  }
  EXPECT_EQ(errors.count(), 4);
  EXPECT_NEAR(errors.mae(), absolute / 4, 1e-6);
  EXPECT_NEAR(errors.rmse(), std::sqrt(squares / 4), 1e-6);
  EXPECT_NEAR(errors.r2(), 1 - squares / spread, 1e-6);
  EXPECT_EQ(errors.within_5_percent(), 50);
}

TEST(ValueErrors, EqualValuesHaveNoR2) {
  ValueErrors errors;
  EXPECT_TRUE(std::isnan(errors.r2()));
  errors.add(torch::tensor({0.1, 0.2, 0.4}, torch::kFloat64), torch::full({3}, 0.1, torch::kFloat64));
  EXPECT_TRUE(std::isnan(errors.r2()));
  EXPECT_NEAR(errors.mae(), 0.4 / 3, 1e-12);
}

}  // namespace
}  // namespace gsan
