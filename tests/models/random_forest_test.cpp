#include "gsan/models/random_forest.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

struct Sample {
  Tensor x, labels;
};

// Points of the square, class = xor of the halves; `noise` further features.
Sample checkers(int items, int noise, std::uint64_t seed) {
  RandomStream stream(seed, "checkers");
  Tensor x = torch::empty({items, 2 + noise}, torch::kFloat64);
  Tensor labels = torch::empty({items}, torch::kInt64);
  for (int i = 0; i < items; ++i) {
    for (int f = 0; f < 2 + noise; ++f) x[i][f] = stream.uniform();
    labels[i] = (x[i][0].item<double>() < 0.5) != (x[i][1].item<double>() < 0.5) ? 1 : 0;
  }
  return {x, labels};
}

double accuracy(const RandomForest& forest, const Sample& sample) {
  return forest.probabilities(sample.x).argmax(1).eq(sample.labels).to(torch::kFloat64).mean().item<double>();
}

TEST(RandomForest, LearnsWhatNoLineDivides) {
  const Sample train = checkers(400, 1, 1), test = checkers(300, 1, 2);
  const RandomForest forest(train.x, train.labels, 2, RandomStream(0, "forest"));
  EXPECT_GE(accuracy(forest, train), 0.99);
  EXPECT_GE(accuracy(forest, test), 0.9);
  const Tensor p = forest.probabilities(test.x);
  EXPECT_TRUE(p.sum(1).allclose(torch::ones({300}, torch::kFloat64)));
}

TEST(RandomForest, OneStreamGivesOneForest) {
  const Sample train = checkers(100, 2, 1), test = checkers(50, 2, 2);
  const auto grown = [&](std::uint64_t seed) {
    return RandomForest(train.x, train.labels, 2, RandomStream(seed, "forest"), {.trees = 7})
        .probabilities(test.x);
  };
  EXPECT_TRUE(grown(3).equal(grown(3)));
  EXPECT_FALSE(grown(3).equal(grown(4)));
}

TEST(RandomForest, WhereNothingVariesItSaysTheSharesOfTheClasses) {
  const Tensor x = torch::ones({40, 3}, torch::kFloat64);
  const Tensor labels = torch::cat({torch::zeros({30}, torch::kInt64), torch::ones({10}, torch::kInt64)});
  const RandomForest forest(x, labels, 2, RandomStream(0, "forest"));
  EXPECT_NEAR(forest.probabilities(x)[0][1].item<double>(), 0.25, 0.03);
}

TEST(RandomForest, RefusesWhatItCannotGrowOn) {
  const Sample sample = checkers(10, 0, 1);
  const RandomStream stream(0, "forest");
  expect_error(Fault::argument, {"labels"}, [&] { RandomForest(sample.x, sample.labels - 1, 2, stream); });
  expect_error(Fault::argument, {"finite"}, [&] { RandomForest(sample.x / 0, sample.labels, 2, stream); });
  const RandomForest forest(sample.x, sample.labels, 2, stream);
  expect_error(Fault::argument, {"[n, 2]"}, [&] { forest.probabilities(torch::ones({1, 3})); });
}

}  // namespace
}  // namespace gsan
