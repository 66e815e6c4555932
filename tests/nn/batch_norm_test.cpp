#include "gsan/nn/batch_norm.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "gsan/hodge/solve/random_signal.h"
#include "gsan/nn/mlp.h"

namespace gsan {
namespace {

// Sums over a complex: a mean of many spreads.
Tensor pools(std::int64_t rows, const std::string& name = "pools") {
  return random_signal(rows, 3, name, torch::kFloat64) + 1000;
}

double distance(const Tensor& a, const Tensor& b) { return (a - b).abs().max().item<double>(); }

TEST(MeasureBatchNorms, StatisticsAreThoseOfAllRowsHoweverTheyAreDivided) {
  const Tensor x = pools(23);
  for (const std::vector<std::int64_t>& sizes :
       {std::vector<std::int64_t>{23}, {10, 10, 3}, {1, 21, 1}, {2, 2, 2, 2, 15}}) {
    BatchNorm norm(3);
    norm->to(torch::kFloat64);
    norm->eval();
    measure_batch_norms(*norm, [&] {
      for (const Tensor& rows : x.split_with_sizes(sizes)) norm->forward(rows);
    });
    EXPECT_LT(distance(norm->running_mean, x.mean(0)), 1e-10);
    EXPECT_LT(distance(norm->running_var, x.var(0)), 1e-10);
    EXPECT_FALSE(norm->is_training());
  }
}

TEST(MeasureBatchNorms, EvaluationFollowsWeightsThatMovedThePools) {
  BatchNorm norm(3);
  norm->to(torch::kFloat64);
  for (int step = 0; step < 200; ++step) norm->forward(pools(25, concat("batch", step)));
  const Tensor moved = pools(25) * 1.02;  // what a step of training does to sums: twenty spreads
  const Tensor in_training =
      torch::batch_norm(moved, norm->weight, norm->bias, {}, {}, true, 0.1, 1e-5, true);
  norm->eval();
  EXPECT_GT(distance(norm->forward(moved), in_training), 5);
  measure_batch_norms(*norm, [&] { norm->forward(moved); });
  EXPECT_LT(distance(norm->forward(moved), in_training), 0.1);  // n − 1 and n
}

TEST(MeasureBatchNorms, LeavesNoTraceOfWhatWasThereBefore) {
  const auto measured = [](int steps_before) {
    Mlp mlp(MlpOptions{.in_channels = 3, .hidden = {4, 5}, .batch_norm = true}, RandomStream(1, "mlp"));
    mlp->to(torch::kFloat64);
    for (int step = 0; step < steps_before; ++step) mlp->forward(pools(7, concat("before", step)));
    mlp->eval();
    measure_batch_norms(*mlp, [&] { mlp->forward(pools(9)), mlp->forward(pools(4, "more")); });
    return mlp->forward(pools(3));
  };
  EXPECT_TRUE(measured(0).equal(measured(5)));
}

TEST(MeasureBatchNorms, NothingHappensWithoutRowsOrNormsAndAnErrorEndsIt) {
  BatchNorm norm(3);
  norm->to(torch::kFloat64);
  norm->eval();
  measure_batch_norms(*norm, [&] { norm->forward(pools(1)); });
  EXPECT_EQ(norm->running_mean.abs().max().item<double>(), 0);
  EXPECT_THROW(measure_batch_norms(*norm,
                                   [&] {
                                     norm->forward(pools(5));
                                     throw std::runtime_error("a pass failed");
                                   }),
               std::runtime_error);
  EXPECT_EQ(norm->running_mean.abs().max().item<double>(), 0);
  EXPECT_LT(distance(norm->forward(pools(5)), pools(5) / std::sqrt(1 + 1e-5)), 1e-9);  // not of the batch

  Mlp plain(MlpOptions{.in_channels = 3, .hidden = {4}}, RandomStream(1, "mlp"));
  measure_batch_norms(*plain, [] { FAIL() << "there is nothing to measure"; });
}

}  // namespace
}  // namespace gsan
