#include "gsan/train/batch_prefetcher.h"

#include <ATen/Parallel.h>

namespace gsan {
namespace {

constexpr std::size_t most_ahead = 2;

// The calling thread starts no team of its own, which would take the cores from the step that runs. A new
// thread first takes over the number of threads of the process, and only then can have its own.
void compute_serially() {
  at::get_num_threads();
#ifdef _OPENMP
  omp_set_num_threads(1);  // of this thread alone
#endif
}

std::function<std::int64_t(std::int64_t)> steps_of(const Task& task) {
  return [&task](std::int64_t epoch) { return task.batch_count(Phase::train, epoch); };
}

}  // namespace

BatchPrefetcher::BatchPrefetcher(const Task& task)
    : batches_{steps_of(task), [&task](std::int64_t epoch, std::int64_t step) {
                 return task.batch(Phase::train, epoch, step);
               }} {}

BatchPrefetcher::BatchPrefetcher(const Task& task, PackBatch pack)
    : batches_{steps_of(task),
               [&task](std::int64_t epoch, std::int64_t step) {
                 return task.host_batch(Phase::train, epoch, step).value();
               }},
      pack_(std::move(pack)) {}

BatchPrefetcher::~BatchPrefetcher() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Batch BatchPrefetcher::get(std::int64_t epoch, std::int64_t step) {
  return std::move(*take({epoch, step}).batch);
}

std::shared_ptr<const PackedBatch> BatchPrefetcher::get_packed(std::int64_t epoch, std::int64_t step) {
  return take({epoch, step}).packed;
}

BatchPrefetcher::Prepared BatchPrefetcher::take(Place wanted) {
  std::unique_lock lock(mutex_);
  const bool is_coming = prepared_.empty() ? !is_idle_ && next_ == wanted : prepared_.front().place == wanted;
  if (!is_coming) {
    prepared_.clear();
    next_ = wanted;
    is_idle_ = false;
    changed_.notify_all();
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.wait(lock, [&] { return !prepared_.empty(); });
  Prepared found = std::move(prepared_.front());
  prepared_.pop_front();
  lock.unlock();
  changed_.notify_all();
  if (found.error) std::rethrow_exception(found.error);
  return found;
}

void BatchPrefetcher::derive(std::vector<DerivedKey> keys) {
  const std::lock_guard lock(mutex_);
  keys_ = std::move(keys);
}

void BatchPrefetcher::work() {
  compute_serially();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_over_ || (!is_idle_ && prepared_.size() < most_ahead); });
    if (is_over_) return;
    const Place place = next_;
    const std::vector<DerivedKey> keys = keys_;
    lock.unlock();
    Prepared made = prepare(place, keys);
    lock.lock();
    if (is_idle_ || !(next_ == place)) continue;  // another one was asked for meanwhile
    is_idle_ = made.error != nullptr;
    next_ = made.following;
    prepared_.push_back(std::move(made));
    changed_.notify_all();
  }
}

BatchPrefetcher::Prepared BatchPrefetcher::prepare(Place place, const std::vector<DerivedKey>& keys) const {
  try {
    Batch batch = batches_.make(place.epoch, place.step);
    batch.operators.derive(keys);
    Prepared made{place, after(place)};
    if (pack_)
      made.packed = pack_(std::move(batch));
    else
      made.batch = std::move(batch);
    return made;
  } catch (...) {
    return {.place = place, .following = place, .error = std::current_exception()};
  }
}

BatchPrefetcher::Place BatchPrefetcher::after(Place place) const {
  if (place.step + 1 < batches_.count(place.epoch)) return {place.epoch, place.step + 1};
  return {place.epoch + 1, 0};
}

}  // namespace gsan
