// Steps whose inputs are one buffer compute what the others compute.

#include <gtest/gtest.h>

#include <ATen/Context.h>

#include "gsan/models/model_kinds.h"
#include "gsan/models/padding.h"
#include "gsan/nn/weights.h"
#include "gsan/train/task_training.h"
#include "gsan/train/trainer.h"

#include "train/small_graphs.h"

namespace gsan {
namespace {

struct StepOutcome {
  Tensor loss;
  std::vector<Tensor> gradients;
};

// Of the second step, which comes with what the first one derived.
StepOutcome second_step(const Task& task, const std::string& name, const TaskTrainingOptions& options,
                        torch::Device device = torch::kCPU) {
  Model model = small_graph_model(task, name);
  model->to(device);
  TaskTraining training(task, model, options);
  StepOutcome outcome;
  for (std::int64_t step = 0; step < 2; ++step) {
    model->zero_grad();
    const RandomStream dropout = RandomStream(3, "dropout").substream(static_cast<std::uint64_t>(step));
    if (const auto packed = training.packed_step(0, step))
      outcome.loss = packed->loss(packed->bytes().to(device), dropout);
    else
      outcome.loss = training.step_loss(0, step, dropout);
    outcome.loss.backward();
  }
  for (const Tensor& parameter : model->parameters()) outcome.gradients.push_back(parameter.grad());
  return outcome;
}

TEST(PackedTraining, LossAndGradientsOfEveryModelAreTheSameBits) {
  const GraphClassification task = small_graph_task();
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    const StepOutcome plain = second_step(task, name, {.pack = false});
    for (const bool prefetch : {true, false}) {
      const StepOutcome packed = second_step(task, name, {.prefetch = prefetch, .pack = true, .pad = false});
      EXPECT_TRUE(plain.loss.equal(packed.loss));
      for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
        ASSERT_EQ(plain.gradients[i].defined(), packed.gradients[i].defined());
        if (!plain.gradients[i].defined()) continue;
        EXPECT_TRUE(plain.gradients[i].equal(packed.gradients[i])) << i;
      }
    }
  }
}

// The padding adds zeros to sums, in another order.
TEST(PackedTraining, PaddingChangesNoModelBeyondRounding) {
  if (!at::hasCUDA()) GTEST_SKIP() << "there is no CUDA device";
  const GraphClassification task = small_graph_task(torch::kCUDA);
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    const StepOutcome plain = second_step(task, name, {.pad = false}, torch::kCUDA);
    const StepOutcome padded = second_step(task, name, {.pad = true}, torch::kCUDA);
    EXPECT_TRUE(torch::allclose(plain.loss, padded.loss, 1e-4, 1e-5));
    double scale = 0;  // of all gradients: one may be a difference of large numbers
    for (const Tensor& gradient : plain.gradients)
      if (gradient.defined()) scale = std::max(scale, gradient.abs().max().item<double>());
    for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
      ASSERT_EQ(plain.gradients[i].defined(), padded.gradients[i].defined());
      if (!plain.gradients[i].defined()) continue;
      EXPECT_LE((plain.gradients[i] - padded.gradients[i]).abs().max().item<double>(), 1e-4 * scale) << i;
    }
  }
}

TEST(PackedTraining, AnEpochOnTheHostIsTheSameBits) {
  const GraphClassification task = small_graph_task();
  const auto weights = [&](bool pack) {
    Model model = small_graph_model(task, "gsan");
    TaskTraining training(task, model, {.pack = pack, .pad = false});
    TrainOptions options;
    options.epochs = 2;
    Trainer(training, options, 1).run();
    return weights_of(*model);
  };
  const NamedTensors plain = weights(false), packed = weights(true);
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_TRUE(plain[i].second.equal(packed[i].second)) << plain[i].first;
}

TEST(PackedTraining, StepsOfEqualShapeAreFew) {
  const GraphClassification task = small_graph_task();
  const BatchSizes& sizes = *task.batch_sizes();
  std::set<std::string> shapes;
  double own = 0, padded_rows = 0;
  for (std::int64_t epoch = 0; epoch < 8; ++epoch) {
    for (std::int64_t step = 0; step + 1 < task.batch_count(Phase::train, epoch); ++step) {
      const Batch batch = *task.host_batch(Phase::train, epoch, step);
      const Batch more = padded(batch, sizes.sizes_of(batch.operators));
      const PackedBatch packed(more, torch::kCPU);
      shapes.insert(packed.shape());
      own += static_cast<double>(batch.operators.count(1));
      padded_rows += static_cast<double>(more.operators.count(1));
      const Batch back = packed.on(packed.bytes());
      EXPECT_TRUE(back.targets.equal(batch.targets));
      EXPECT_TRUE(back.signals[1].slice(0, 0, batch.signals[1].size(0)).equal(batch.signals[1]));
      EXPECT_EQ(back.signals[1].slice(0, batch.signals[1].size(0)).abs().sum().item<double>(), 0);
    }
  }
  EXPECT_LE(shapes.size(), 10U);
  EXPECT_LE(padded_rows, 1.35 * own);
}

TEST(WhyNotPadded, NamesWhatSumsOverAllRows) {
  const GraphClassification task = small_graph_task();
  EXPECT_EQ(why_not_padded(*small_graph_model(task, "gsan")), "");
  const std::string reason = why_not_padded(*small_graph_model(task, "gin"));
  EXPECT_NE(reason.find("batch_norm"), std::string::npos) << reason;
}

}  // namespace
}  // namespace gsan
