#include "gsan/tasks/shared/item_task.h"

#include <algorithm>
#include <numeric>

namespace gsan {

ItemTask::ItemTask(Split split, std::vector<std::string> item_names, const RandomStream& stream,
                   int batch_size)
    : split_(std::move(split)),
      item_names_(std::move(item_names)),
      order_(stream.substream("order")),
      batch_size_(batch_size) {
  GSAN_CHECK(batch_size_ >= 1, "ItemTask: batch_size must be at least 1, got ", batch_size_);
}

int ItemTask::batch_size(Phase phase) const {
  return phase == Phase::train ? batch_size_ : evaluation_batch_size();
}

std::int64_t ItemTask::batch_count(Phase phase, std::int64_t) const {
  const auto items = static_cast<std::int64_t>(items_of(split_, phase).size());
  GSAN_CHECK(phase != Phase::train || items > 0, name(), ": the split has no item to train on");
  const int size = batch_size(phase);
  return (items + size - 1) / size;
}

Items ItemTask::items_of_batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  Items items = items_of(split_, phase);
  if (phase == Phase::train) {
    RandomStream of_epoch = order_.substream(static_cast<std::uint64_t>(epoch));
    of_epoch.shuffle(items);
  }
  const auto count = static_cast<std::int64_t>(items.size());
  const int size = batch_size(phase);
  const std::int64_t first = std::clamp<std::int64_t>(step * size, 0, count);
  const std::int64_t last = std::min<std::int64_t>(first + size, count);
  return {items.begin() + first, items.begin() + last};
}

Batch ItemTask::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  return batch_of(items_of_batch(phase, epoch, step));
}

std::optional<Batch> ItemTask::host_batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  return host_batch_of(items_of_batch(phase, epoch, step));
}

std::int64_t ItemTask::divisible_items(std::int64_t step) const {
  const auto count = static_cast<std::int64_t>(split_.train.size());
  return std::clamp<std::int64_t>(count - step * batch_size_, 0, batch_size_);
}

// Two halves of as many items and about as large, each the same again: the largest that is left goes to the
// half that has less.
void ItemTask::balance(std::span<std::int64_t> items) const {
  if (items.size() < 3) return;
  std::stable_sort(items.begin(), items.end(),
                   [&](std::int64_t a, std::int64_t b) { return item_size(a) > item_size(b); });
  if (item_size(items.front()) == item_size(items.back())) return;  // they stay as they are
  const std::size_t half = items.size() / 2;
  Items one, other;
  std::int64_t of_one = 0, of_other = 0;
  for (const std::int64_t item : items) {
    const bool has_room = one.size() < half, is_full = other.size() == items.size() - half;
    const bool is_first = is_full || (has_room && of_one <= of_other);
    (is_first ? one : other).push_back(item);
    (is_first ? of_one : of_other) += item_size(item);
  }
  std::copy(one.begin(), one.end(), items.begin());
  std::copy(other.begin(), other.end(), items.begin() + static_cast<std::ptrdiff_t>(half));
  balance(items.first(half));
  balance(items.subspan(half));
}

Batch ItemTask::batch_part(std::int64_t epoch, std::int64_t step, std::int64_t first,
                           std::int64_t last) const {
  Items items = items_of_batch(Phase::train, epoch, step);
  balance(items);
  GSAN_CHECK(0 <= first && first < last && last <= std::ssize(items), name(), ": a part of a batch of ",
             items.size(), " items must have some of them, got ", first, " ... ", last - 1);
  return batch_of(
      std::span(items).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)));
}

std::int64_t ItemTask::example_count(Phase phase) const {
  return static_cast<std::int64_t>(items_of(split_, phase).size());
}

Batch ItemTask::example_batch(Phase phase, std::int64_t number) const {
  return batch_of(std::span(items_of(split_, phase)).subspan(static_cast<std::size_t>(number), 1));
}

std::vector<std::pair<std::string, Items>> ItemTask::parts() const {
  return {{"train", split_.train}, {"validation", split_.validation}, {"test", split_.test}};
}

std::vector<std::vector<std::string>> ItemTask::named_rows() const {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : item_names_) rows.push_back({name});
  return rows;
}

Tensor ItemTask::read_all(Model& model, const Tensor& none,
                          const std::function<Tensor(const ModelOutput&, const Batch&)>& read) const {
  const EvaluationPass pass(model);
  std::vector<Tensor> found{none};
  std::vector<std::int64_t> items(item_names_.size());
  std::iota(items.begin(), items.end(), 0);
  const auto count = static_cast<std::int64_t>(items.size());
  const std::int64_t size = evaluation_batch_size();
  for (std::int64_t first = 0; first < count; first += size) {
    const Batch batch = batch_of(std::span(items).subspan(first, std::min(size, count - first)));
    found.push_back(read(pass.output(batch), batch));
  }
  return torch::cat(found);
}

}  // namespace gsan
