// Training on a CUDA device: captured steps, resumed runs, runs that change the device.

#include <atomic>
#include <numeric>

#include <gtest/gtest.h>

#include <ATen/Context.h>

#include "gsan/nn/weights.h"
#include "gsan/ops/step_graph.h"
#include "gsan/train/task_training.h"
#include "gsan/train/trainer.h"

#include "support/temporary_folder.h"
#include "train/small_graphs.h"

namespace gsan {
namespace {

struct Course : TrainObserver {
  void on_step(const StepReport& report) override {
    losses.push_back(report.loss);
    stop = stops_at >= 0 && static_cast<int>(losses.size()) == stops_at;
  }
  void on_message(const std::string& message) override { messages.push_back(message); }
  std::atomic<bool> stop = false;
  int stops_at = -1;
  std::vector<double> losses;
  std::vector<std::string> messages;
  NamedTensors weights;
};

TrainOptions train_options(bool capture, int epochs = 3) {
  TrainOptions options;
  options.epochs = epochs;
  options.capture = capture;
  options.optimizer.learning_rate = 0.01;
  options.optimizer.clip_norm = 1;
  options.schedule.kind = ScheduleKind::cosine;
  return options;
}

struct Session {
  torch::Device device = torch::kCUDA;
  TrainOptions options = train_options(true);
  std::string model = "gsan";
  Precision precision = Precision::float32;
  bool recompute = false;
  RunFolder* folder = nullptr;
  bool resumes = false;
  int stops_at = -1;
};

void run(const Session& session, Course& course) {
  const GraphClassification task = small_graph_task(session.device, type_of(session.precision));
  Model model = small_graph_model(task, session.model);
  model->to(session.device, type_of(session.precision));
  model->set_precision(session.precision);
  TaskTraining training(task, model, {.recompute = session.recompute});
  course.stops_at = session.stops_at;
  Trainer trainer(training, session.options, 1, {session.folder, &course, &course.stop});
  session.resumes ? trainer.resume() : trainer.run();
  for (const auto& [name, tensor] : weights_of(*model))
    course.weights.emplace_back(name, tensor.detach().cpu().clone());
}

void expect_same_weights(const Course& a, const Course& b) {
  ASSERT_EQ(a.weights.size(), b.weights.size());
  for (std::size_t i = 0; i < a.weights.size(); ++i)
    EXPECT_TRUE(a.weights[i].second.equal(b.weights[i].second)) << a.weights[i].first;
}

class OnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "there is no CUDA device";
  }
};
using CapturedStepsTest = OnCuda;
using CudaTraining = OnCuda;

TEST_F(CapturedStepsTest, AreTheStepsThatTheyRepeatBitForBit) {
  for (const std::string name : {"gsan", "san", "scnn"}) {
    SCOPED_TRACE(name);
    Course captured, eager;
    run({.model = name}, captured);
    run({.options = train_options(false), .model = name}, eager);
    EXPECT_TRUE(captured.messages.empty()) << captured.messages.front();
    EXPECT_EQ(captured.losses, eager.losses);
    EXPECT_NE(captured.losses.front(), captured.losses.back());
    expect_same_weights(captured, eager);
  }
}

TEST_F(CapturedStepsTest, WhatCannotBeCapturedIsSaidOnceAndTrains) {
  Course norm, again;
  run({.model = "gin"}, norm);
  ASSERT_EQ(norm.messages.size(), 1U);
  EXPECT_NE(norm.messages[0].find("batch_norm"), std::string::npos) << norm.messages[0];
  run({.recompute = true}, again);
  ASSERT_EQ(again.messages.size(), 1U);
  EXPECT_NE(again.messages[0].find("train.recompute"), std::string::npos) << again.messages[0];
}

// A step that waits for the device in its middle, which no capture survives.
class ImpatientStep : public PackedStep {
 public:
  explicit ImpatientStep(Tensor weight) : weight_(std::move(weight)) {}
  const Tensor& bytes() const override { return bytes_; }
  const std::string& shape() const override { return shape_; }
  Tensor loss(const Tensor& buffer, const RandomStream&) override {
    const Tensor x = buffer.to(torch::kFloat32).mean() + weight_.square().sum();
    return x * (x.item<float>() > -1 ? 1 : 2);
  }
  bool is_complete() const override { return true; }

 private:
  Tensor weight_, bytes_ = torch::zeros({key_bytes + 256}, torch::kByte);
  std::string shape_ = "one";
};

TEST_F(CapturedStepsTest, ABrokenCaptureLeavesTheStepDoneAndTheDeviceUsable) {
  const Tensor weight = torch::ones({3}, torch::kCUDA).requires_grad_(true);
  ImpatientStep step(weight);
  CapturedSteps steps(torch::kCUDA, [&](PackedStep& one, const Tensor& buffer, const RandomStream& dropout) {
    const Tensor loss = one.loss(buffer, dropout);
    return torch::stack({loss.detach(), loss.detach()}).to(torch::kFloat64);
  });
  const RandomStream dropout(1, "dropout");
  EXPECT_FALSE(steps.run(step, dropout));
  const auto numbers = steps.run(step, dropout);
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->loss, 3);
  EXPECT_FALSE(steps.refusal().empty());
  EXPECT_EQ((weight + 1).sum().item<float>(), 6);
  EXPECT_EQ(torch::ones({100000}, torch::kCUDA).sum().item<float>(), 100000);
}

TEST_F(CudaTraining, AResumedRunIsTheUndisturbedOne) {
  for (const bool capture : {true, false}) {
    SCOPED_TRACE(capture);
    const TemporaryFolder folder;
    Course whole, first, second;
    run({.options = train_options(capture)}, whole);
    RunFolder one = RunFolder::create(folder / "run", make_manifest(1), "");
    run({.options = train_options(capture), .folder = &one, .stops_at = 14}, first);
    run({.options = train_options(capture), .folder = &one, .resumes = true}, second);
    std::vector<double> losses = first.losses;
    losses.insert(losses.end(), second.losses.begin(), second.losses.end());
    EXPECT_EQ(losses, whole.losses);
    expect_same_weights(whole, second);
  }
}

TEST_F(CudaTraining, ACheckpointGoesOnOnAnotherDevice) {
  for (const auto& [from, to] : {std::pair(torch::kCPU, torch::kCUDA), {torch::kCUDA, torch::kCPU}}) {
    const TemporaryFolder folder;
    Course whole, first, second;
    run({.device = torch::kCPU}, whole);
    RunFolder one = RunFolder::create(folder / "run", make_manifest(1), "");
    run({.device = from, .folder = &one, .stops_at = 14}, first);
    run({.device = to, .folder = &one, .resumes = true}, second);
    ASSERT_EQ(first.losses.size() + second.losses.size(), whole.losses.size());
    EXPECT_NEAR(second.losses.back(), whole.losses.back(), 0.02);
  }
}

TEST_F(CudaTraining, EveryPrecisionTrains) {
  for (const Precision precision : {Precision::float64, Precision::bf16}) {
    SCOPED_TRACE(name_of(precision));
    Course captured, eager;
    run({.options = train_options(true, 6), .precision = precision}, captured);
    run({.options = train_options(false, 6), .precision = precision}, eager);
    EXPECT_TRUE(captured.messages.empty()) << captured.messages.front();
    EXPECT_EQ(captured.losses, eager.losses);
    const auto mean = [](auto from) { return std::accumulate(from, from + 9, 0.0) / 9; };  // of an epoch
    EXPECT_LT(mean(captured.losses.end() - 9), mean(captured.losses.begin()));
  }
}

TEST(StepGraphs, AreNotForTheHost) {
  EXPECT_NE(ops::why_no_graphs(torch::kCPU).find("cpu"), std::string::npos);
  EXPECT_FALSE(ops::allows_padding(torch::kCPU));
}

// On the host the key does nothing and says nothing.
TEST(Capture, IsSilentOnTheHost) {
  Course with, without;
  run({.device = torch::kCPU}, with);
  run({.device = torch::kCPU, .options = train_options(false)}, without);
  EXPECT_TRUE(with.messages.empty());
  expect_same_weights(with, without);
}

}  // namespace
}  // namespace gsan
