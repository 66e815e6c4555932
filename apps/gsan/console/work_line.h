#pragma once
// What a command is busy with, on a terminal: one line that is written over, with the time left where that is
// known. Nothing is shown of what ends within two seconds, and nothing where there is no terminal.

#include <condition_variable>
#include <mutex>
#include <ostream>
#include <thread>
#include <vector>

#include "gsan/core/long_work.h"
#include "gsan/train/progress.h"

namespace gsan::app {

/// Listens to the work of the thread that makes it, until it ends. A thread of its own draws: a computation
/// in another library does not come back to say how far it is.
class WorkLine : private LongWorkListener {
 public:
  WorkLine(std::ostream& stream, const ProgressOptions& terminal);
  WorkLine(const WorkLine&) = delete;
  WorkLine& operator=(const WorkLine&) = delete;
  ~WorkLine() override;

 private:
  struct Running {
    const LongWork* work;
    double began;
  };
  void on_begin(const LongWork& work) override;
  void on_end(const LongWork& work) override;
  void start_drawing();
  void draw_until_end();
  void draw();   // with mutex_ held
  void clear();  // with mutex_ held

  std::ostream& stream_;
  ProgressOptions terminal_;
  std::mutex mutex_;
  std::condition_variable ends_;
  std::vector<Running> running_;  // the later, the further within
  std::thread drawing_;           // from the first work on
  bool is_ending_ = false, is_shown_ = false;
};

}  // namespace gsan::app
