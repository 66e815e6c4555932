#pragma once
// Many complexes of a dataset as one: structure and signals side by side (topology/disjoint_union).

#include <memory>
#include <span>

#include "gsan/data/batch_sizes.h"
#include "gsan/data/datasets.h"

namespace gsan {

/// What a model is given of some items, and what the loss compares it with.
struct Batch {
  ComplexOperators operators;
  Cochains signals;      ///< [..., N_k, F_k] per order, undefined = none
  Tensor targets{};      ///< what the task compares the output with; undefined where the phase may not see it
  Tensor rows{};         ///< int64, the rows of the output that count; undefined = all
  Tensor tuples{};       ///< int64 [M, t], rows of candidates, for tuple readouts
  Tensor signal_keys{};  ///< int64 [B], for many signals on one complex: dropout masks belong to the item
};

/// Numbers of items (or rows) as an index, int64 [n].
Tensor item_tensor(std::span<const std::int64_t> items);

/// The complexes `items` of the dataset, with their labels as targets. Dropout masks of a complex are keyed
/// by its number in the dataset: they do not depend on the rest of the batch.
Batch collate(const ComplexDataset& dataset, std::span<const std::int64_t> items,
              const OperatorOptions& options = {}, torch::ScalarType type = torch::kFloat32);

/// collate() for many batches of one dataset, from any thread: what a batch derives from its complexes is put
/// together from what was derived of each, once (ComplexOperators::joined). Copies share that.
///
/// On a device other than the host a batch is made here and arrives by one copy (data/packed_batch.h), with
/// what the batch before it derived; the rest follows when it is asked for.
class Collator {
 public:
  explicit Collator(ComplexDataset dataset, const OperatorOptions& options = {},
                    torch::ScalarType type = torch::kFloat32);
  Batch operator()(std::span<const std::int64_t> items) const { return to_device(on_host(items)); }
  Batch on_host(std::span<const std::int64_t> items) const;
  Batch to_device(Batch batch) const;
  /// How far batches are padded where steps of equal sizes are wanted.
  const BatchSizes& sizes() const;
  const ComplexDataset& dataset() const { return dataset_; }

 private:
  struct Shared;
  ComplexDataset dataset_;
  OperatorOptions options_;
  torch::ScalarType type_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace gsan
