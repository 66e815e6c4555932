// What a run says about itself: each warning where it is due, and not elsewhere.

#include "gsan/train/run_warnings.h"

#include <limits>

#include <gtest/gtest.h>

#include "gsan/topology/delaunay.h"
#include "gsan/train/experiment.h"

namespace gsan {
namespace {

using Texts = std::vector<std::string>;

std::vector<EpochMetrics> course(const std::vector<double>& training, const std::vector<double>& validation,
                                 const std::string& metric = "loss") {
  std::vector<EpochMetrics> epochs;
  for (std::size_t i = 0; i < validation.size(); ++i)
    epochs.push_back({static_cast<std::int64_t>(i),
                      {{"train.loss", training[i]}, {"validation." + metric, validation[i]}}});
  return epochs;
}

TEST(RunWarnings, AValidationLossThatExplodes) {
  EXPECT_EQ(exploding_validation(course({0.7, 0.6, 0.5}, {0.7, 0.5, 12})),
            Texts{"validation loss exploded: 0.5 in epoch 2, 12 in epoch 3; try a smaller "
                  "train.optimizer.learning_rate, or fewer epochs"});
  // One that rises as it does when a model memorises, and one that is nearly 0 all the time.
  EXPECT_EQ(exploding_validation(course({0.7, 0.1, 0.01}, {0.7, 0.5, 1.2})), Texts{});
  EXPECT_EQ(exploding_validation(course({0.7, 0.1, 0.01}, {0.7, 0.09, 0.8})), Texts{});
  EXPECT_EQ(exploding_validation(course({0.7, 0.1, 0.01}, {0.7, 0.001, 0.1})), Texts{});
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exploding_validation(course({0.7, 0.6, 0.5}, {0.7, 0.5, infinity})),
            Texts{"validation loss is infinite in epoch 3"});
  EXPECT_EQ(exploding_validation(course({0.7, 0.6, 0.5}, {infinity, 0.5, 0.4})), Texts{});
  EXPECT_EQ(exploding_validation({}), Texts{});
  EXPECT_EQ(exploding_validation(course({0.7}, {0.7}, "accuracy")), Texts{});
}

TEST(RunWarnings, AValidationLossThatNeverComesNearTraining) {
  const Texts said = exploding_validation(course({0.7, 0.2, 0.1}, {2000, 1500, 1700}));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("1500 at its best, training loss 0.7 at its worst"), std::string::npos) << said[0];
  EXPECT_EQ(exploding_validation(course({0.7, 0.2, 0.1}, {1.5, 1.4, 1.6})), Texts{});
}

TEST(RunWarnings, TrainingThatNeverImproves) {
  RunRecord record;
  record.choosing_metric = "loss";
  record.more_is_better = false;
  const Texts said = no_improvement(course({0.7, 0.71, 0.7, 0.8, 0.9}, {1, 1, 1, 1, 1}), record);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("training loss never fell below that of the first epoch, 0.7"), std::string::npos);
  EXPECT_EQ(no_improvement(course({0.7, 0.6, 0.5, 0.4, 0.3}, {0.7, 0.8, 0.9, 1, 1.1}), record),
            Texts{"validation loss never improved after epoch 1 (0.7)"});
  EXPECT_EQ(no_improvement(course({0.7, 0.6, 0.5, 0.4, 0.3}, {0.7, 0.8, 0.6, 1, 1.1}), record), Texts{});
  EXPECT_EQ(no_improvement(course({0.7, 0.8}, {0.7, 0.8}), record), Texts{});  // too few to say
}

TEST(RunWarnings, AnAccuracyThatIsPerfectAtOnceHasNothingToImprove) {
  RunRecord record;
  record.choosing_metric = "accuracy";
  std::vector<EpochMetrics> epochs = course({5, 4, 3, 2, 1}, {100, 100, 100, 100, 100}, "accuracy");
  for (std::size_t i = 0; i < epochs.size(); ++i)
    epochs[i].values.emplace_back("validation.loss", 0.5 / static_cast<double>(i + 1));
  EXPECT_EQ(no_improvement(epochs, record), Texts{});
  for (EpochMetrics& epoch : epochs) epoch.values.back().second = 0.5;
  EXPECT_EQ(no_improvement(epochs, record).size(), 1u);
}

TEST(RunWarnings, FewStepsOfARunThatWasStillImproving) {
  RunRecord record;
  record.end = "finished";
  record.epochs = 20;
  record.best_epoch = 18;
  EXPECT_EQ(few_steps(record, 20),
            Texts{"trained for 20 steps only, of which the last were the best (epoch 19 of "
                  "20); raise train.epochs"});
  EXPECT_EQ(few_steps(record, enough_steps), Texts{});
  record.best_epoch = 3;
  EXPECT_EQ(few_steps(record, 20), Texts{});
  record.best_epoch = 19;
  record.end = "early_stopped";
  EXPECT_EQ(few_steps(record, 20), Texts{});
}

TEST(RunWarnings, AModelBelowARuleByTheDirectionOfTheHeadline) {
  RunRecord record;
  record.more_is_better = false;  // of the metric that chooses, which is another
  record.headline_metric = "accuracy";
  record.test = {{"accuracy", 56}, {"loss", 0.1}};
  record.rules = {{"majority class", {{"accuracy", 60}}},
                  {"logistic regression on label counts", {{"accuracy", 72}, {"loss", 9}}},
                  {"without that number", {{"loss", 0}}}};
  EXPECT_EQ(below_a_rule(record),
            Texts{"loses to logistic regression on label counts on the test set: accuracy "
                  "56 against 72"});
  record.test[0].second = 72;
  EXPECT_EQ(below_a_rule(record), Texts{});
  record.headline_metric = "loss";
  EXPECT_EQ(below_a_rule(record), Texts{"loses to without that number on the test set: loss 0.1 against 0"});
  record.test.clear();
  EXPECT_EQ(below_a_rule(record), Texts{});
}

FeatureRange range(const std::vector<double>& rows, std::int64_t width = 1) {
  FeatureRange found;
  const Tensor x = torch::tensor(rows, torch::kFloat64).view({-1, width});
  for (std::int64_t i = 0; i < x.size(0); ++i) found.add(x.slice(0, i, i + 1));
  return found;
}

TEST(RunWarnings, InputsThatNeverVary) {
  EXPECT_EQ(constant_inputs({range({1, 2, 3})}), Texts{});
  EXPECT_EQ(constant_inputs({range({1, 7, 2, 7, 3, 7}, 2)}),
            Texts{"feature 2 of 2 of order 0 never varies in the training set"});
  EXPECT_EQ(constant_inputs({range({1, 2}), range({0, 7, 5, 0, 7, 6}, 3)}),
            Texts{"2 of the 3 features of order 1 never vary in the training set: 1, 2"});
  EXPECT_EQ(constant_inputs({range({1, 1}), range({5, 6})}), Texts{});  // simplices without features
  ASSERT_EQ(constant_inputs({range({1, 1}), range({1, 1})}).size(), 1u);
  EXPECT_EQ(constant_inputs({range({1, 1}), range({})})[0].find("every input is the same number"), 0u);
  EXPECT_EQ(constant_inputs({}), Texts{});
}

TEST(RunWarnings, AnswersThatAreAllTheSame) {
  const Texts classes{"north", "south"};
  PartView view{.phase = Phase::test, .labels = {5, 3}, .answers = {8, 0}};
  EXPECT_EQ(constant_answers(view, classes), Texts{"every item of the test set is given to class 'north'"});
  view.answers = {7, 1};
  EXPECT_EQ(constant_answers(view, classes), Texts{});
  view = {.phase = Phase::test, .labels = {8, 0}, .answers = {8, 0}};  // as it should be
  EXPECT_EQ(constant_answers(view, classes), Texts{});
  view = {.phase = Phase::validation, .outputs = range({0.25, 0.25, 0.25})};
  EXPECT_EQ(constant_answers(view, {}),
            Texts{"the model gives the same answer to every item of the validation set"});
  view.outputs.add(torch::tensor({{0.2501}}, torch::kFloat64));
  EXPECT_EQ(constant_answers(view, {}), Texts{});
  view = {.phase = Phase::validation, .outputs = range({0.25})};  // one item has one answer
  EXPECT_EQ(constant_answers(view, {}), Texts{});
}

TEST(RunWarnings, ClassesOfOneItemAndClassesThatAPartLacks) {
  const Texts classes{"a", "b", "c"};
  const auto part = [](Phase phase, std::vector<std::int64_t> labels) {
    return PartView{.phase = phase, .labels = std::move(labels)};
  };
  EXPECT_EQ(rare_classes({part(Phase::train, {4, 3, 2}), part(Phase::test, {1, 1, 1})}, classes), Texts{});
  EXPECT_EQ(rare_classes({part(Phase::train, {4, 3, 1}), part(Phase::test, {1, 1, 0})}, classes),
            Texts{"class 'c' has a single item"});
  EXPECT_EQ(rare_classes({part(Phase::train, {4, 0, 0}), part(Phase::test, {1, 2, 1})}, classes),
            (Texts{"class 'c' has a single item", "2 classes have no item in the training set: 'b', 'c'"}));
  EXPECT_EQ(
      rare_classes({part(Phase::train, {4, 3, 2}), part(Phase::validation, {}), part(Phase::test, {1, 0, 1})},
                   classes),
      Texts{"class 'b' has no item in the test set"});
}

TEST(RunWarnings, ARunHasThoseThatAreSoAndNoOthers) {
  if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  const auto warnings = [](const Texts& more) {
    Texts overrides = {"data.name=flow",          "data.points=60",   "data.signals=120",
                       "model.hidden_channels=4", "model.n_layers=1", "model.name=san",
                       "model.harmonic_steps=3"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    Experiment experiment = make_experiment(parse_run_settings("task: trajectory", "test", overrides));
    return train_experiment(experiment, std::nullopt).record->warnings;
  };
  const auto has = [](const Texts& all, const std::string& begin) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return one.find(begin) == 0; });
  };
  const Texts short_run = warnings({"train.epochs=1"});
  EXPECT_TRUE(has(short_run, "trained for ")) << ::testing::PrintToString(short_run);
  const Texts still =
      warnings({"train.epochs=6", "train.optimizer.learning_rate=1e-12", "train.schedule.kind=constant"});
  EXPECT_TRUE(has(still, "loses to ")) << ::testing::PrintToString(still);
  for (const Texts& all : {short_run, still}) {
    EXPECT_FALSE(has(all, "every input")) << ::testing::PrintToString(all);
    EXPECT_FALSE(has(all, "class ")) << ::testing::PrintToString(all);
    EXPECT_FALSE(has(all, "validation loss exploded")) << ::testing::PrintToString(all);
  }
}

}  // namespace
}  // namespace gsan
