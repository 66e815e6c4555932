// Micro-batches of a step add up to it.

#include "gsan/train/divided_step.h"

#include <cmath>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "gsan/nn/pooled_readout.h"
#include "gsan/train/micro_batches.h"
#include "gsan/train/step_runner.h"
#include "gsan/train/task_training.h"

#include "train/small_graphs.h"

namespace gsan {
namespace {

TEST(MicroBatches, EveryItemIsInOneOfThem) {
  const GraphClassification task = small_graph_task();
  for (const int count : {1, 2, 4, 16}) {
    const MicroBatches parts(task, count, nullptr);
    const BatchSequence sequence = parts.sequence();
    for (const std::int64_t epoch : {0, 1}) {
      std::int64_t number = 0;
      for (std::int64_t step = 0; step < task.batch_count(Phase::train, epoch); ++step) {
        std::vector<Tensor> targets;
        double shares = 0;
        for (int i = 0; i < count; ++i) {
          shares += parts.share(step, i);
          if (parts.share(step, i) == 0) continue;
          EXPECT_EQ(parts.number(step, i), number);
          targets.push_back(sequence.make(epoch, number++).targets);
        }
        EXPECT_NEAR(shares, 1, 1e-12);
        const Tensor whole = task.batch(Phase::train, epoch, step).targets;
        EXPECT_TRUE(std::get<0>(torch::cat(targets).sort()).equal(std::get<0>(whole.sort())));
      }
      EXPECT_EQ(sequence.count(epoch), number);
    }
  }
}

TEST(MicroBatches, AreMoreEvenThanItemsAsTheyCome) {
  const GraphClassification task = small_graph_task();
  const MicroBatches parts(task, 2, nullptr);
  std::int64_t gap = 0, gap_as_they_come = 0;
  for (std::int64_t step = 0; step < task.batch_count(Phase::train, 0); ++step) {
    const auto size_of = [&](int part) {
      const Batch batch = parts.make(0, parts.number(step, part));
      return batch.operators.count(0) + batch.operators.count(1) + batch.operators.count(2);
    };
    gap += std::abs(size_of(0) - size_of(1));
    const Batch whole = task.batch(Phase::train, 0, step);
    Tensor offsets = torch::zeros({whole.operators.part_count() + 1}, torch::kInt64);
    for (int k = 0; k <= 2; ++k) offsets += whole.operators.part_offsets(k);
    const auto end = offsets[-1].item<std::int64_t>();
    const auto middle = offsets[whole.operators.part_count() / 2].item<std::int64_t>();
    gap_as_they_come += std::abs(middle - (end - middle));
  }
  EXPECT_LT(gap, gap_as_they_come);
}

TEST(DividedStep, RanksHaveConsecutiveMicroBatches) {
  EXPECT_EQ(micro_batches_of(0, 2, 4), (std::vector<int>{0, 1}));
  EXPECT_EQ(micro_batches_of(2, 3, 4), (std::vector<int>{2, 3}));
  for (const int size : {1, 2, 3, 4, 5, 6}) {
    std::vector<int> all;
    for (int rank = 0; rank < size; ++rank) {
      const std::vector<int> own = micro_batches_of(rank, size, 4);
      EXPECT_LE(std::ssize(own), (4 + size - 1) / size);
      all.insert(all.end(), own.begin(), own.end());
    }
    EXPECT_EQ(all, (std::vector<int>{0, 1, 2, 3}));
  }
}

// "gsan+norm" has a readout that normalises.
Model model_of(const Task& task, const std::string& name) {
  const std::size_t end = name.find('+');
  if (end == std::string::npos) return small_graph_model(task, name);
  ModelSpec spec = small_graph_model(task, name.substr(0, end))->spec();
  spec.readout_options.as<PooledReadoutOptions>().batch_norm = true;
  return Model(spec, task.shape(), RandomStream(5, "model"));
}

// Parameters, then running statistics.
std::vector<Tensor> state_of(const Model& model) {
  std::vector<Tensor> state = model->parameters();
  for (const Tensor& buffer : model->buffers()) state.push_back(buffer);
  return state;
}

void make_steps(TaskTraining& training, Model& model, const Task& task, Ranks* ranks) {
  // Not Adam: the gradient of an offset before a norm is 0 up to rounding, which it would divide by itself.
  Optimizer optimizer({.kind = OptimizerKind::sgd, .learning_rate = 0.01}, *model);
  StepRunner runner(training, optimizer, {.ranks = ranks});
  for (std::int64_t step = 0; step < task.batch_count(Phase::train, 0); ++step)
    runner.run(0, step, 1, RandomStream(3, "dropout").substream(static_cast<std::uint64_t>(step)));
}

// Weights after some steps; dropout masks belong to items, so that a micro-batch drops what the batch drops.
std::vector<Tensor> trained(const Task& task, const std::string& name, int micro_batches, bool prefetch) {
  Model model = model_of(task, name);
  model->to(torch::kFloat64);
  TaskTraining training(task, model, {.micro_batches = micro_batches, .prefetch = prefetch});
  EXPECT_EQ(training.micro_batches(), micro_batches);
  make_steps(training, model, task, nullptr);
  return state_of(model);
}

TEST(DividedStep, GradientsAddUpToThoseOfTheBatch) {
  const GraphClassification task = small_graph_task(torch::kCPU, torch::kFloat64);
  for (const std::string name : {"gsan", "san", "scnn", "gsan+norm", "mpsn", "gin"}) {
    const std::vector<Tensor> whole = trained(task, name, 1, true);
    const std::vector<Tensor> parts = trained(task, name, 4, true), again = trained(task, name, 4, false);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_TRUE(parts[i].allclose(whole[i], 1e-6, 1e-8)) << name << " " << i;
      EXPECT_TRUE(parts[i].equal(again[i])) << name << " " << i;
    }
  }
}

// A step, what evaluation needs, and validation; more micro-batches than a batch has items.
std::vector<Tensor> trained_by(int size, const Task& task, const std::string& name) {
  std::vector<std::vector<Tensor>> found(static_cast<std::size_t>(size));
  const RankServer store;
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      try {
        Ranks ranks({.rank = r, .local_rank = r, .size = size, .port = store.port(), .has_agent = true},
                    {"1"});
        Model model = model_of(task, name);
        model->to(torch::kFloat64);  // statistics are float64: less would hide in which order they were added
        TaskTraining training(task, model, {.micro_batches = 16, .ranks = &ranks});
        make_steps(training, model, task, &ranks);
        model->eval();
        training.prepare_evaluation();
        std::vector<Tensor>& state = found[static_cast<std::size_t>(r)] = state_of(model);
        for (const auto& [metric, value] : training.validate())
          state.push_back(torch::full({}, value, torch::kFloat64));
        ranks.leave();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << r << " of " << size << ": " << error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Tensor>& other : found) {
    EXPECT_EQ(other.size(), found.front().size());
    for (std::size_t i = 0; i < other.size(); ++i) EXPECT_TRUE(other[i].equal(found.front()[i])) << i;
  }
  return found.front();
}

TEST(DividedStep, AnyNumberOfRanksGivesTheSameBits) {
  if (const std::string why = why_no_ranks(); !why.empty()) GTEST_SKIP() << why;
  const GraphClassification task = small_graph_task(torch::kCPU, torch::kFloat64);
  for (const std::string name : {"gsan+norm", "gin"}) {
    const std::vector<Tensor> one = trained_by(1, task, name);
    for (const int size : {2, 3}) {
      const std::vector<Tensor> several = trained_by(size, task, name);
      ASSERT_EQ(several.size(), one.size());
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_TRUE(several[i].equal(one[i])) << name << ", " << size << " ranks: " << i;
    }
  }
}

// Each rank's answers before the first step and after each of three; rank 1 is asked to stop during the
// second.
TEST(DividedStep, ARequestToStopReachesAllRanksWithTheGradients) {
  if (const std::string why = why_no_ranks(); !why.empty()) GTEST_SKIP() << why;
  const GraphClassification task = small_graph_task();
  using Answers = std::vector<std::optional<bool>>;
  std::vector<Answers> found(3);
  const RankServer store;
  std::vector<std::thread> threads;
  for (int r = 0; r < 3; ++r)
    threads.emplace_back([&, r] {
      try {
        Ranks ranks({.rank = r, .local_rank = r, .size = 3, .port = store.port(), .has_agent = true}, {"1"});
        Model model = model_of(task, "gin");
        TaskTraining training(task, model, {.micro_batches = 2, .ranks = &ranks});  // none for rank 2
        Optimizer optimizer({.learning_rate = 0.01}, *model);
        bool is_asked = false;
        StepRunner runner(training, optimizer, {.ranks = &ranks, .stop = [&] { return is_asked; }});
        Answers& answers = found[static_cast<std::size_t>(r)];
        answers.push_back(runner.is_asked_to_stop());
        for (int step = 0; step < 3; ++step) {
          is_asked = r == 1 && step == 1;
          runner.run(step, 0, 1, RandomStream(3, "dropout"));
          answers.push_back(runner.is_asked_to_stop());
        }
        ranks.leave();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << r << ": " << error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const Answers& answers : found) EXPECT_EQ(answers, (Answers{std::nullopt, false, true, false}));
}

TEST(DividedStep, ALossThatIsNotFiniteChangesNothing) {
  const GraphClassification task = small_graph_task();
  Model model = model_of(task, "gin");
  {
    const torch::NoGradGuard no_grad;
    model->parameters().front().fill_(std::numeric_limits<float>::quiet_NaN());
  }
  TaskTraining training(task, model, {.micro_batches = 4});
  Optimizer optimizer({.learning_rate = 0.01}, *model);
  const Tensor before = model->parameters().back().clone();
  EXPECT_FALSE(std::isfinite(StepRunner(training, optimizer).run(0, 0, 1, RandomStream(3, "dropout")).loss));
  EXPECT_TRUE(model->parameters().back().equal(before));
}

}  // namespace
}  // namespace gsan
