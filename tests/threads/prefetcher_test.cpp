// Batches that another thread prepares, under ThreadSanitizer: asked for in order, elsewhere, after errors,
// with structures to derive, and dropped halfway.

#include <random>

#include <gtest/gtest.h>

#include "gsan/train/batch_prefetcher.h"

namespace gsan {
namespace {

// Walks over the steps, jumping now and then; take(prefetcher, epoch, step) checks what it is given.
template <class Take>
void walk(BatchPrefetcher& prefetcher, unsigned seed, const Take& take) {
  std::mt19937 random(seed);
  std::int64_t epoch = 0, step = 0;
  for (int i = 0; i < 40; ++i) {
    if (random() % 5 == 0) epoch = random() % 4, step = random() % Task::steps;
    if (random() % 7 == 0) prefetcher.derive({{1}, {2}});
    if (Task::fails(epoch, step))
      EXPECT_THROW(take(epoch, step), std::runtime_error);
    else
      take(epoch, step);
    if (++step == Task::steps) step = 0, ++epoch;
  }
}

TEST(PreparedByAThread, EveryBatchIsTheOneThatWasAskedFor) {
  const Task task;
  for (unsigned round = 0; round < 100; ++round) {
    BatchPrefetcher prefetcher(task);
    walk(prefetcher, round, [&](std::int64_t epoch, std::int64_t step) {
      const Batch batch = prefetcher.get(epoch, step);
      EXPECT_EQ(batch.epoch, epoch);
      EXPECT_EQ(batch.step, step);
      batch.operators.made->push_back(1);  // it is the caller's alone
    });
  }
}

TEST(PreparedByAThread, PackedBatchesToo) {
  const Task task;
  for (unsigned round = 0; round < 50; ++round) {
    BatchPrefetcher prefetcher(task, [](Batch batch) {
      return std::make_shared<const PackedBatch>(PackedBatch{batch.epoch * 1000 + batch.step});
    });
    walk(prefetcher, round, [&](std::int64_t epoch, std::int64_t step) {
      EXPECT_EQ(prefetcher.get_packed(epoch, step)->sum, epoch * 1000 + step);
    });
  }
}

}  // namespace
}  // namespace gsan
