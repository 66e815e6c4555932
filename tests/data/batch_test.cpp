#include "gsan/data/batch.h"

#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/data/batch_sizes.h"
#include "gsan/data/split.h"

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

ComplexDataset random_dataset(int count) {
  ComplexDataset dataset{
      .name = "random", .complexes = {}, .features = {}, .widths = {2, 0, 1}, .labels = {}};
  for (int i = 0; i < count; ++i) {
    dataset.complexes.push_back(random_complex(static_cast<std::uint64_t>(i), {i % 3, 9}));
    Cochains features;
    for (int k = 0; k <= 2; ++k)
      features.push_back(torch::full({dataset.complexes.back().count(k), dataset.widths[k]}, i + 0.25f));
    dataset.features.push_back(features);
  }
  dataset.labels = torch::arange(count, torch::kInt64) % 2;
  return dataset;
}

void expect_same(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.operators.complex(), b.operators.complex());
  EXPECT_TRUE(a.targets.equal(b.targets));
  ASSERT_EQ(a.signals.size(), b.signals.size());
  for (std::size_t k = 0; k < a.signals.size(); ++k) {
    const int order = static_cast<int>(k);
    ASSERT_EQ(a.signals[k].defined(), b.signals[k].defined());
    if (a.signals[k].defined()) {
      EXPECT_EQ(a.signals[k].scalar_type(), b.signals[k].scalar_type());
      EXPECT_TRUE(a.signals[k].equal(b.signals[k]));
    }
    EXPECT_TRUE(a.operators.part_keys(order).equal(b.operators.part_keys(order)));
    for (const Side side : {Side::lower, Side::upper}) {
      const Neighborhood &x = a.operators.neighborhood(order, side),
                         &y = b.operators.neighborhood(order, side);
      EXPECT_TRUE(x.mirror.equal(y.mirror) && x.shared.equal(y.shared) && x.sources.equal(y.sources));
    }
  }
}

TEST(Collator, GivesTheBatchesOfCollate) {
  const ComplexDataset dataset = random_dataset(24);
  for (const torch::ScalarType type : {torch::kFloat32, torch::kFloat64}) {
    const Collator collator(dataset, {}, type);
    for (const Items& items : {Items{}, Items{5}, Items{3, 20, 0, 7}, Items{23, 3, 3, 8, 16, 3}})
      expect_same(collator(items), collate(dataset, items, {}, type));
  }
}

TEST(Collator, ServesManyThreads) {
  const ComplexDataset dataset = random_dataset(24);
  const Collator collator(dataset);
  const Items items{3, 20, 0, 7, 21, 22};
  std::vector<std::optional<Batch>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t, copy = collator] { found[t].emplace(copy(items)); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& batch : found) expect_same(*batch, collate(dataset, items));
}

TEST(Collator, RefusesItemsThatDoNotExist) {
  const Collator collator(random_dataset(4));
  for (const std::int64_t wrong : {-1, 4})
    expect_error(Fault::argument, {"collate", std::to_string(wrong), "random", "4 complexes"}, [&] {
      collator(std::vector<std::int64_t>{0, wrong});
    });
}

// One table many times its average would make all others as many times larger.
TEST(BatchSizes, PayWhereTheyAddLittle) {
  const ComplexDataset dataset = random_dataset(24);
  const Items items{3, 20, 0, 7, 21, 22};
  const ComplexOperators batch = collate(dataset, items).operators;
  PaddedSizes sizes = BatchSizes(dataset.complexes).sizes_of(batch);
  EXPECT_TRUE(BatchSizes::pays(sizes, batch.complex()));
  sizes.rows[0] += 1'000'000;
  EXPECT_FALSE(BatchSizes::pays(sizes, batch.complex()));
}

}  // namespace
}  // namespace gsan
