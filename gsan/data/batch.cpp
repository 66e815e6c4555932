#include "gsan/data/batch.h"

#include <mutex>
#include <optional>

#include "gsan/core/check.h"
#include "gsan/data/packed_batch.h"
#include "gsan/hodge/lazy_map.h"
#include "gsan/topology/disjoint_union.h"

namespace gsan {
namespace {

void check_items(const ComplexDataset& dataset, std::span<const std::int64_t> items) {
  for (const std::int64_t item : items)
    GSAN_CHECK(item >= 0 && item < static_cast<std::int64_t>(dataset.complexes.size()), "collate: item ",
               item, " of ", dataset.name, " does not exist: it has ", dataset.complexes.size(),
               " complexes");
}

std::vector<std::int32_t> keys_of(std::span<const std::int64_t> items) {
  return {items.begin(), items.end()};
}

Batch with_operators(ComplexOperators operators, const ComplexDataset& dataset,
                     std::span<const std::int64_t> items, torch::ScalarType type) {
  const torch::Device device = operators.device();
  Batch batch{std::move(operators), Cochains(dataset.widths.size())};
  for (std::size_t k = 0; k < dataset.widths.size(); ++k) {
    if (dataset.widths[k] == 0) continue;
    std::vector<Tensor> rows;
    for (const std::int64_t item : items) rows.push_back(dataset.features[item][k]);
    const Tensor features = rows.empty() ? torch::zeros({0, dataset.widths[k]}) : torch::cat(rows);
    batch.signals[k] = features.to(device, type);
  }
  batch.targets = dataset.labels.index_select(0, item_tensor(items)).to(device);
  return batch;
}

}  // namespace

Tensor item_tensor(std::span<const std::int64_t> items) {
  return torch::tensor(at::ArrayRef<std::int64_t>(items.data(), items.size()), torch::kInt64);
}

Batch collate(const ComplexDataset& dataset, std::span<const std::int64_t> items,
              const OperatorOptions& options, torch::ScalarType type) {
  check_items(dataset, items);
  std::vector<SimplicialComplex> parts;
  for (const std::int64_t item : items) parts.push_back(dataset.complexes[item]);
  return with_operators(ComplexOperators(disjoint_union(parts), options, keys_of(items)), dataset, items,
                        type);
}

struct Collator::Shared {
  LazyMap<std::int64_t, ComplexOperators> parts;
  LazyMap<int, BatchSizes> sizes;  // of key 0
  std::mutex mutex;
  std::optional<ComplexOperators> last;  // of the last batch that was moved
};

Collator::Collator(ComplexDataset dataset, const OperatorOptions& options, torch::ScalarType type)
    : dataset_(std::move(dataset)), options_(options), type_(type), shared_(std::make_shared<Shared>()) {}

Batch Collator::on_host(std::span<const std::int64_t> items) const {
  check_items(dataset_, items);
  OperatorOptions own = options_;
  own.device = torch::kCPU;
  std::vector<ComplexOperators> parts;
  parts.reserve(items.size());
  for (const std::int64_t item : items)
    parts.push_back(
        shared_->parts.get(item, [&] { return ComplexOperators(dataset_.complexes[item], own); }));
  return with_operators(ComplexOperators::joined(std::move(parts), own, keys_of(items)), dataset_, items,
                        type_);
}

Batch Collator::to_device(Batch batch) const {
  if (options_.device == torch::Device(torch::kCPU)) return batch;
  std::vector<DerivedKey> keys;
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->last) keys = shared_->last->derived_keys();
  }
  batch.operators.derive(keys);
  Batch there = PackedBatch(std::move(batch), options_.device).moved();
  const std::lock_guard lock(shared_->mutex);
  shared_->last = there.operators;
  return there;
}

const BatchSizes& Collator::sizes() const {
  return shared_->sizes.get(0, [&] { return BatchSizes(dataset_.complexes); });
}

}  // namespace gsan
