#pragma once
// The training batches of a task, prepared on another thread while the steps run.

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gsan/data/packed_batch.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// The batches of an epoch, one after the other.
struct BatchSequence {
  std::function<std::int64_t(std::int64_t epoch)> count;
  std::function<Batch(std::int64_t epoch, std::int64_t number)> make;
};

/// Makes of a batch of the host (Task::host_batch) what travels to a device.
using PackBatch = std::function<std::shared_ptr<const PackedBatch>(Batch)>;

/// Gives what task.batch(Phase::train, epoch, step) gives, bit for bit: which batches were prepared has no
/// influence. At most two are, those that follow the last one; asking for any other begins anew there. The
/// thread computes serially and ends with this object. What the task throws comes out of get(); asking again
/// tries again. Borrows the task, and calls it from the thread; get() is for one thread at a time.
class BatchPrefetcher {
 public:
  explicit BatchPrefetcher(const Task& task);
  /// For get_packed() in the place of get(): batches of the host are packed by the thread.
  BatchPrefetcher(const Task& task, PackBatch pack);
  /// For batches other than those of training steps: get(epoch, number).
  explicit BatchPrefetcher(BatchSequence batches) : batches_(std::move(batches)) {}
  ~BatchPrefetcher();
  BatchPrefetcher(const BatchPrefetcher&) = delete;
  BatchPrefetcher& operator=(const BatchPrefetcher&) = delete;

  Batch get(std::int64_t epoch, std::int64_t step);
  std::shared_ptr<const PackedBatch> get_packed(std::int64_t epoch, std::int64_t step);

  /// From now on batches come with these structures, as far as operators make them by themselves: those that
  /// a step asked for, ComplexOperators::derived_keys().
  void derive(std::vector<DerivedKey> keys);

 private:
  struct Place {
    std::int64_t epoch = 0, step = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Prepared {
    Place place, following;
    std::optional<Batch> batch{};                 // of get()
    std::shared_ptr<const PackedBatch> packed{};  // of get_packed()
    std::exception_ptr error{};
  };

  Prepared take(Place wanted);
  void work();
  Prepared prepare(Place place, const std::vector<DerivedKey>& keys) const;
  Place after(Place place) const;

  BatchSequence batches_;
  PackBatch pack_{};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Prepared> prepared_;  // consecutive; the last may be an error, and then nothing follows
  Place next_;                     // to be prepared next, or being prepared
  bool is_idle_ = true;            // nothing is to be prepared
  bool is_over_ = false;
  std::vector<DerivedKey> keys_;
  std::thread thread_;
};

}  // namespace gsan
