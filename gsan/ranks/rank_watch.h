#pragma once
// Which rank has stopped, and why: every rank beats once in a while in a store that all of them see, and
// watches the beats of the others.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gsan/ranks/rank_place.h"

namespace gsan {

/// Of the store: why all should stop.
inline constexpr const char* fault_key = "fault";

/// A table of texts that all ranks share. A call that fails throws.
class RankStore {
 public:
  virtual ~RankStore() = default;
  virtual void set(const std::string& key, const std::string& value) = 0;
  virtual std::optional<std::string> find(const std::string& key) = 0;  ///< at once
  /// Sets the value where there is none; the value that is there then.
  virtual std::string set_first(const std::string& key, const std::string& value) = 0;
};

/// For a launcher: tells the ranks of an attempt why they should stop. Throws where their store is gone.
void tell_ranks(const RankPlace& place, const std::string& fault);

struct WatchTimes {
  std::chrono::milliseconds beat{500};
  std::chrono::milliseconds silence{15000};  ///< a rank that does not beat for so long has stopped
  std::chrono::milliseconds doubt{5000};     ///< the same once a connection was lost
  std::chrono::milliseconds slow{600000};    ///< slow work may take so long
};

/// Beats from a thread of its own, and only while the process works (its processors do), waits for the others
/// or has announced slow work: a process that is stopped, or stuck, falls silent.
///
/// The first fault counts, of whichever rank: it is kept in the store, and all ranks report the same.
class RankWatch {
 public:
  /// For people: `names` of all ranks, and `holder` of the store. The store is used by the thread alone once
  /// it runs.
  RankWatch(std::unique_ptr<RankStore> store, int rank, std::vector<std::string> names, std::string holder,
            WatchTimes times = {});
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;

  /// Around a wait for other ranks.
  void set_waiting(bool is_waiting) { is_waiting_ = is_waiting; }
  /// Around work that needs no processor, as a write to a slow disk.
  void set_slow(bool is_slow);

  /// Why this rank should stop; empty: nothing is known.
  std::string fault() const;
  /// The same after a connection was lost: waits until somebody is known to have stopped; empty where nobody
  /// is found.
  std::string wait_for_fault();

  /// Tells the others why this rank stops. Ends the thread.
  void stop(const std::string& why);
  /// This rank has done its part; the others may go on without it. Ends the thread.
  void leave();

 private:
  struct Seen {
    std::string beat;
    std::chrono::steady_clock::time_point at;
  };
  void run();
  bool beat();
  bool is_slow() const;
  std::string known_fault() const;
  void look();
  void report(const std::string& fault);
  void end(const std::function<void()>& last_word);

  std::unique_ptr<RankStore> store_;
  int rank_;
  std::vector<std::string> names_;
  std::string holder_;
  WatchTimes times_;
  std::vector<Seen> seen_;
  std::int64_t beats_ = 0;
  std::chrono::nanoseconds worked_{0};  // by the processors, for this process, without the thread
  std::atomic<bool> is_waiting_{false}, has_lost_connection_{false};
  std::atomic<std::chrono::steady_clock::rep> last_turn_, slow_since_{0};  // 0: it is not
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::function<void()> last_word_;  // with the store, before the thread ends
  std::string fault_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace gsan
