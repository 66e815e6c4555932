#pragma once
// How a training goes, for people: a bar with the time left on a terminal, plain lines elsewhere.

#include <functional>
#include <ostream>
#include <string>

#include "gsan/train/train_observer.h"

namespace gsan {

struct ProgressOptions {
  bool terminal = false;
  bool color = false;
  int columns = 80;
  double redraw_seconds = 0.1;      ///< the bar is drawn at most that often
  double line_seconds = 2;          ///< a plain line at most that often; the first and the last epoch always
  std::function<double()> clock{};  ///< seconds of a steady clock; empty: the system's
};

/// For a descriptor (2: standard error): terminal or not, its width, and colours unless NO_COLOR is set or
/// TERM is "dumb".
ProgressOptions progress_options(int descriptor);

/// "0:42", "12:05", "3:07:12", "2 d 03 h"
std::string duration_text(double seconds);

class Progress : public TrainObserver {
 public:
  Progress(std::ostream& stream, ProgressOptions options);

  void on_begin(double done) override;
  void on_step(const StepReport& report) override;
  void on_epoch(const EpochReport& report) override;
  void on_message(const std::string& message) override;
  void on_end() override;

 private:
  std::string time_left(double done) const;
  void draw(double done, const std::string& text);
  void clear_bar();
  std::ostream& stream_;
  ProgressOptions options_;
  double began_ = 0, began_at_ = 0;  // when, and with which share done
  double last_output_ = 0;
  std::string metrics_;  // of the last epoch
  bool bar_is_shown_ = false;
};

}  // namespace gsan
