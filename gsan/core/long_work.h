#pragma once
// A long computation that can be watched. The library says what it does and how far it is; whether and
// where that is shown is the listener's business (the command draws a line on a terminal).

#include <atomic>
#include <string>

namespace gsan {

/// One computation, from construction to destruction, in the thread that made it. Costs nothing
/// worth counting where nobody listens.
class LongWork {
 public:
  /// `name` completes "gsan is busy with …"; total 0: nobody knows how long it takes.
  explicit LongWork(std::string name, double total = 0);
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;
  ~LongWork();

  /// `done` of `total` are done. From any thread.
  void reach(double done) { done_.store(done, std::memory_order_relaxed); }

  const std::string& name() const { return name_; }
  /// 0 … 1; negative where the total is unknown.
  double share() const;

 private:
  std::string name_;
  double total_;
  std::atomic<double> done_{0};
};

/// Who is told of computations. Calls come from the thread that listens.
class LongWorkListener {
 public:
  virtual ~LongWorkListener() = default;
  virtual void on_begin(const LongWork& work) = 0;  ///< may lie within another one
  virtual void on_end(const LongWork& work) = 0;
};

/// Makes `listener` hear of the work of the calling thread; nullptr: nobody.
void listen_to_long_work(LongWorkListener* listener);

}  // namespace gsan
