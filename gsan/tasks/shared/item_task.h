#pragma once
// What all tasks whose items are signals or complexes share: items in mini-batches, in an order per epoch.

#include <functional>

#include "gsan/data/split.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// Training visits the items in an order that depends on (stream, epoch) alone; the other phases in theirs.
/// Where items differ in size, parts of a batch have them in another order than the batch: such that its
/// halves, and their halves, are about as large.
class ItemTask : public Task {
 public:
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  std::optional<Batch> host_batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  std::vector<std::pair<std::string, Items>> parts() const override;
  bool has_costly_batches() const override { return true; }
  std::int64_t divisible_items(std::int64_t step) const override;
  Batch batch_part(std::int64_t epoch, std::int64_t step, std::int64_t first,
                   std::int64_t last) const override;

 protected:
  /// `item_names`: one per item of the data.
  ItemTask(Split split, std::vector<std::string> item_names, const RandomStream& stream, int batch_size);

  const Split& split() const { return split_; }
  const std::vector<std::string>& item_names() const { return item_names_; }
  std::vector<std::vector<std::string>> named_rows() const;  ///< a row per item, which holds its name

  std::int64_t example_count(Phase phase) const override;
  Batch example_batch(Phase phase, std::int64_t number) const override;

  /// Items that are answered together.
  virtual int evaluation_batch_size() const { return batch_size_; }

  /// Signals and labels of these items.
  virtual Batch batch_of(std::span<const std::int64_t> items) const = 0;
  /// What it takes to compute with an item, in any unit: parts of a batch get as much of it.
  virtual std::int64_t item_size([[maybe_unused]] std::int64_t item) const { return 1; }
  /// The same on the host, of items that are complexes.
  virtual std::optional<Batch> host_batch_of(std::span<const std::int64_t>) const { return std::nullopt; }

  /// read(output, batch) of all items of the data, in their order: rows [items, …] behind `none` [0, …].
  Tensor read_all(Model& model, const Tensor& none,
                  const std::function<Tensor(const ModelOutput&, const Batch&)>& read) const;

 private:
  Items items_of_batch(Phase phase, std::int64_t epoch, std::int64_t step) const;
  int batch_size(Phase phase) const;
  void balance(std::span<std::int64_t> items) const;
  Split split_;
  std::vector<std::string> item_names_;
  RandomStream order_;
  int batch_size_;
};

}  // namespace gsan
