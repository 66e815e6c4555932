#include "gsan/train/trainer.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gsan/nn/weights.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "train/sample_run.h"

namespace gsan {
namespace {

TrainOptions short_options(int epochs) {
  TrainOptions options;
  options.epochs = epochs;
  options.optimizer.learning_rate = 0.02;
  return options;
}

// Reports the values it is given, one per validation.
class Scripted : public TinyProblem {
 public:
  explicit Scripted(std::vector<double> values) : values_(std::move(values)) {}
  Metrics validate() override {
    EXPECT_FALSE(module().is_training());
    EXPECT_FALSE(torch::GradMode::is_enabled());
    weights.push_back(bytes_of(weights_of(module())));
    return {{"loss", values_.at(next_++)}};
  }
  std::vector<std::string> weights;  ///< at every validation

 private:
  std::vector<double> values_;
  std::size_t next_ = 0;
};

// Equal values of the metric that chooses, told apart by a second one.
class Tied : public TinyProblem {
 public:
  Metrics validate() override { return {{"loss", 1}, {"rest", rest.at(next_++)}}; }
  std::string tie_metric() const override { return "rest"; }
  std::vector<double> rest{5, 3, 4, 3, 7};

 private:
  std::size_t next_ = 0;
};

TEST(Trainer, OfEqualEpochsTheTieMetricChooses) {
  Tied problem;
  Trainer trainer(problem, short_options(5), 1);
  EXPECT_EQ(trainer.run().best_epoch, 1);
}

TEST(Trainer, LearnsAndNeedsNoFolder) {
  TinyProblem problem;
  const double before = problem.validate()[0].second;
  Trainer trainer(problem, short_options(60), 1);
  const TrainResult result = trainer.run();
  EXPECT_EQ(result.end, TrainEnd::finished);
  EXPECT_EQ(result.epochs, 60);
  EXPECT_LT(result.best_value, 0.5 * before);
  ASSERT_GE(result.last.size(), 4U);
  EXPECT_EQ(result.last[1].first, "train.loss");
  EXPECT_EQ(result.last[2].first, "validation.loss");
}

TEST(Trainer, ValidationChoosesTheBestEpochAndItsWeightsComeBack) {
  const TemporaryFolder folder;
  RunFolder run = new_folder(folder / "run");
  Scripted problem({5, 3, 4, 3, std::nan("")});
  Trainer trainer(problem, short_options(5), 1, {&run, nullptr, nullptr});
  const TrainResult result = trainer.run();
  EXPECT_EQ(result.best_epoch, 1);  // the first of two equal ones
  EXPECT_EQ(result.best_value, 3);
  trainer.load_best();
  EXPECT_EQ(bytes_of(weights_of(problem.module())), problem.weights[1]);
  // The file is one of weights, too.
  TinyProblem loaded(9);
  load_weights(run.best_checkpoint(), loaded.module(), "mlp", loaded.options());
  EXPECT_EQ(bytes_of(weights_of(loaded.module())), problem.weights[1]);
  EXPECT_EQ(read_checkpoint(run.best_checkpoint()).checkpoint.metadata.at("best.epoch"), "1");
}

TEST(Trainer, TheLastEpochCountsWhereItIsChosen) {
  Scripted problem({5, 3, 4});
  TrainOptions options = short_options(3);
  options.choose = EpochChoice::last;
  Trainer trainer(problem, options, 1);
  const TrainResult result = trainer.run();
  EXPECT_EQ(result.best_epoch, 2);
  EXPECT_EQ(result.best_value, 4);
  trainer.load_best();
  EXPECT_EQ(bytes_of(weights_of(problem.module())), problem.weights[2]);
  options.patience = 1;
  expect_error(Fault::argument, {"patience", "choose = last"}, [&] { Trainer(problem, options, 1); });
}

TEST(Trainer, StopsEarlyAfterPatienceValidations) {
  Scripted problem({5, 3, 4, 4, 3, 2, 1});
  TrainOptions options = short_options(7);
  options.patience = 3;
  const TrainResult result = Trainer(problem, options, 1).run();
  EXPECT_EQ(result.end, TrainEnd::early_stopped);
  EXPECT_EQ(result.epochs, 5);
  EXPECT_EQ(result.best_epoch, 1);
}

TEST(Trainer, ValidatesEveryNEpochsAndAtTheEnd) {
  Scripted problem({5, 4, 3});
  TrainOptions options = short_options(7);
  options.validate_every = 3;
  const TrainResult result = Trainer(problem, options, 1).run();
  EXPECT_EQ(problem.weights.size(), 3U);  // epochs 2, 5 and 6
  EXPECT_EQ(result.best_epoch, 6);
}

TEST(Trainer, WithoutAMetricThatChoosesTheLastEpochIsTheBest) {
  Scripted problem({1, 2, 3, 4});
  problem.chooser = "";
  const TrainResult result = Trainer(problem, short_options(3), 1).run();
  EXPECT_EQ(result.best_epoch, 2);
  TrainOptions options = short_options(3);
  options.patience = 1;
  expect_error(Fault::argument, {"patience = 1", "names none"}, [&] { Trainer(problem, options, 1); });
  problem.chooser = "accuracy";
  expect_error(Fault::argument, {"'accuracy'"}, [&] { Trainer(problem, short_options(3), 1).run(); });
}

TEST(Trainer, ALossThatIsNotFiniteNamesStepCheckpointAndHint) {
  const TemporaryFolder folder;
  RunFolder run = new_folder(folder / "run");
  TinyProblem problem;
  problem.before_step = [&](std::int64_t epoch, std::int64_t step) {
    problem.damage = epoch == 1 && step == 2;
  };
  TrainOptions options = short_options(4);
  options.checkpoint_seconds = 0;
  Trainer trainer(problem, options, 1, {&run, nullptr, nullptr});
  expect_error(Fault::numeric,
               {"epoch 2, step 3", "loss is", "nan", run.last_checkpoint().string(), "(epoch 2, step 3)",
                "learning_rate", "clip_norm"},
               [&] { trainer.run(); });
  EXPECT_EQ(read_manifest(folder / "run/manifest.json").status, "failed");
  for (const auto& [name, tensor] : read_checkpoint(run.last_checkpoint()).checkpoint.part("model."))
    EXPECT_TRUE(!tensor.is_floating_point() || tensor.isfinite().all().item<bool>()) << name;
  expect_error(Fault::numeric, {"there is no checkpoint"}, [&] {
    TinyProblem other;
    other.damage = true;
    Trainer(other, options, 1).run();
  });
}

// The loss of every step is fine, and yet a weight is lost before the checkpoint.
TEST(Trainer, WeightsThatAreNotFiniteAreNeverSaved) {
  const TemporaryFolder folder;
  RunFolder run = new_folder(folder / "run");
  TinyProblem problem;
  problem.before_step = [&](std::int64_t, std::int64_t step) {
    const torch::NoGradGuard no_grad;
    if (step == 2) problem.module().named_parameters()["linear1.bias"].fill_(INFINITY);
  };
  Trainer trainer(problem, short_options(1), 1, {&run, nullptr, nullptr});
  expect_error(Fault::numeric, {"'linear1.bias' holds numbers that are not finite"}, [&] { trainer.run(); });
  EXPECT_TRUE(no_checkpoint(run.last_checkpoint()));
}

TEST(Trainer, TwoRunsWithOneSeedAreIdenticalAndAnotherSeedIsNot) {
  const auto weights = [](std::uint64_t seed) {
    TinyProblem problem(1);
    Trainer(problem, short_options(3), seed).run();
    return bytes_of(weights_of(problem.module()));
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

TEST(Trainer, EveryStepHasADropoutStreamOfItsOwn) {
  class Recorder : public TinyProblem {
   public:
    Tensor step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) override {
      keys.push_back(dropout.key());
      return TinyProblem::step_loss(epoch, step, dropout);
    }
    std::vector<std::uint64_t> keys;
  } problem;
  Trainer(problem, short_options(4), 1).run();
  std::sort(problem.keys.begin(), problem.keys.end());
  EXPECT_EQ(problem.keys.size(), 12U);
  EXPECT_EQ(std::unique(problem.keys.begin(), problem.keys.end()), problem.keys.end());
}

TEST(Trainer, ReportsEveryStepAndEpoch) {
  class Counter : public TrainObserver {
   public:
    void on_begin(double) override { text += "b"; }
    void on_step(const StepReport& report) override { text += std::to_string(report.step); }
    void on_epoch(const EpochReport& report) override { text += report.is_best ? "E" : "e"; }
    void on_end() override { text += "."; }
    std::string text;
  } counter;
  Scripted problem({1, 2});
  Trainer(problem, short_options(2), 1, {nullptr, &counter, nullptr}).run();
  EXPECT_EQ(counter.text, "b012E012e.");
}

TEST(Trainer, AFolderWithACheckpointIsNotTrainedOver) {
  const TemporaryFolder folder;
  RunFolder run = new_folder(folder / "run");
  TinyProblem problem;
  Trainer(problem, short_options(1), 1, {&run, nullptr, nullptr}).run();
  expect_error(Fault::argument, {"holds a checkpoint already"}, [&] {
    Trainer(problem, short_options(1), 1, {&run, nullptr, nullptr}).run();
  });
  expect_error(Fault::argument, {"no run folder"}, [&] { Trainer(problem, short_options(1), 1).resume(); });
  expect_error(Fault::argument, {"no epoch"}, [&] { Trainer(problem, short_options(1), 1).load_best(); });
}

TEST(Trainer, OptionsReportEveryFault) {
  TrainOptions options;
  options.epochs = 0;
  options.optimizer.beta1 = 2;
  options.schedule.factor = 0;
  expect_error(Fault::argument, {"epochs", "optimizer.beta1", "schedule.factor"},
               [&] { options.validate(); });
  EXPECT_EQ(to_map(from_map<TrainOptions>(to_map(sample_options()), "options")), to_map(sample_options()));
}

}  // namespace
}  // namespace gsan
