#include "gsan/ranks/rank_watch.h"

#include <ctime>
#include <exception>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* left = "left";

std::string beat_key(int rank) { return concat("beat/", rank); }

std::chrono::nanoseconds time_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

RankWatch::RankWatch(std::unique_ptr<RankStore> store, int rank, std::vector<std::string> names,
                     std::string holder, WatchTimes times)
    : store_(std::move(store)),
      rank_(rank),
      names_(std::move(names)),
      holder_(std::move(holder)),
      times_(times),
      seen_(names_.size(), {"", Clock::now()}),
      last_turn_(Clock::now().time_since_epoch().count()),
      thread_([this] { run(); }) {}

RankWatch::~RankWatch() { end({}); }

void RankWatch::run() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    lock.unlock();
    try {
      if (beat()) look();
      last_turn_ = Clock::now().time_since_epoch().count();
    } catch (const std::exception& error) {
      report(concat("the store of the ranks, held by ", holder_, ", cannot be reached (", error.what(),
                    "): that process has ended, or the network is lost"));
    }
    lock.lock();
    changed_.wait_for(lock, times_.beat, [&] { return is_over_; });
  }
  lock.unlock();
  if (last_word_) {
    try {
      last_word_();
    } catch (const std::exception&) {  // nobody is left to hear it
    }
  }
}

// False while this process itself does nothing: then the others may find that it has stopped, but it does not
// judge them.
bool RankWatch::beat() {
  const auto worked = time_of(CLOCK_PROCESS_CPUTIME_ID) - time_of(CLOCK_THREAD_CPUTIME_ID);
  const bool has_worked = worked - worked_ >= std::chrono::microseconds(100);
  worked_ = worked;
  const bool is_well = has_worked || is_waiting_ || is_slow();
  if (beats_ == 0 || is_well) store_->set(beat_key(rank_), std::to_string(++beats_));
  return is_well;
}

void RankWatch::set_slow(bool is_slow) {
  slow_since_ = is_slow ? Clock::now().time_since_epoch().count() : 0;
}

bool RankWatch::is_slow() const {
  const Clock::rep since = slow_since_;
  return since != 0 && Clock::now() - Clock::time_point(Clock::duration(since)) < times_.slow;
}

void RankWatch::look() {
  if (const std::optional<std::string> fault = store_->find(fault_key)) return report(*fault);
  const std::chrono::milliseconds limit = has_lost_connection_ ? times_.doubt : times_.silence;
  for (std::size_t r = 0; r < names_.size(); ++r) {
    if (static_cast<int>(r) == rank_ || seen_[r].beat == left) continue;
    const std::string now = store_->find(beat_key(static_cast<int>(r))).value_or("");
    if (now != seen_[r].beat) {
      seen_[r] = {now, Clock::now()};
    } else if (Clock::now() - seen_[r].at > limit) {
      const auto silence = std::chrono::duration_cast<std::chrono::seconds>(limit);
      return report(
          store_->set_first(fault_key, concat(names_[r], " has not answered for ", silence.count(),
                                              " s: it was killed, or hangs, or its network is lost")));
    }
  }
}

void RankWatch::report(const std::string& fault) {
  {
    const std::lock_guard lock(mutex_);
    if (fault_.empty()) fault_ = fault;
  }
  changed_.notify_all();
}

std::string RankWatch::fault() const {
  const std::lock_guard lock(mutex_);
  return known_fault();
}

std::string RankWatch::known_fault() const {
  if (!fault_.empty()) return fault_;
  const Clock::time_point last{Clock::duration(last_turn_.load())};
  if (is_waiting_ && Clock::now() - last > times_.silence + 4 * times_.beat)
    return concat("the store of the ranks, held by ", holder_,
                  ", does not answer: the network is lost, or that process hangs");
  return "";
}

std::string RankWatch::wait_for_fault() {
  has_lost_connection_ = true;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, times_.silence + 5 * times_.beat, [&] { return !fault_.empty(); });
  return known_fault();
}

void RankWatch::stop(const std::string& why) {
  end([this, why] {
    store_->set_first(fault_key, concat(names_[static_cast<std::size_t>(rank_)], ": ", why));
  });
}

void RankWatch::leave() {
  end([this] { store_->set(beat_key(rank_), left); });
}

void RankWatch::end(const std::function<void()>& last_word) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_over_) last_word_ = last_word;
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace gsan
