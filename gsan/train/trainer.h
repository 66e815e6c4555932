#pragma once
// The training loop: epochs of steps, validation, the best epoch, early stopping, checkpoints.
//
// A run is a function of (Trainable, options, seed): stopped anywhere, by a flag or by the end of the
// process, and resumed, it ends with the same bits on the CPU. When checkpoints are written has no influence.

#include <atomic>
#include <chrono>
#include <optional>

#include "gsan/models/precision.h"
#include "gsan/ranks/ranks.h"
#include "gsan/train/checkpoint.h"
#include "gsan/train/optimizer.h"
#include "gsan/train/run_folder.h"
#include "gsan/train/schedule.h"
#include "gsan/train/step_runner.h"
#include "gsan/train/train_observer.h"
#include "gsan/train/trainable.h"

namespace gsan {

/// Which epoch's weights a run ends with.
enum class EpochChoice {
  best,  ///< the best by the metric that chooses
  last,  ///< the last one that was validated
};
template <>
struct EnumNames<EpochChoice> {
  static constexpr std::pair<EpochChoice, std::string_view> names[] = {{EpochChoice::best, "best"},
                                                                       {EpochChoice::last, "last"}};
};

struct TrainOptions {
  int epochs = 100;
  int least_steps = 0;     ///< an epoch passes over the training set so often that it makes them; 0: once
  int validate_every = 1;  ///< epochs; the last one is always validated
  int patience = 0;        ///< stop after so many validations without a better one; 0: never
  EpochChoice choose = EpochChoice::best;
  /// Of a step, whose gradients are summed in their order: the same bits for any number of ranks. 0: one,
  /// unless a run starts with ranks (standard_micro_batches).
  int micro_batches = 0;
  bool recompute = false;  ///< layers compute again in the backward pass what they did not keep
  Precision precision = Precision::float32;
  bool capture = true;             ///< steps of equal sizes on a CUDA device are replayed (captured_steps.h)
  double checkpoint_seconds = 30;  ///< a checkpoint at most that often (0: after every step), and at the end
  OptimizerOptions optimizer;
  ScheduleOptions schedule;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("epochs", self.epochs, "passes over the training set");
    visit("least_steps", self.least_steps,
          "a small training set is passed over several times in each epoch, until it has so many steps; 0: "
          "once");
    visit("validate_every", self.validate_every,
          "epochs between two validations; the last epoch is always validated");
    visit("patience", self.patience, "stop after so many validations without a better one; 0: never");
    visit("choose", self.choose, "the epoch that counts: the best by validation, or the last");
    visit("micro_batches", self.micro_batches,
          "parts of a batch whose gradients are summed in their order, so that any number of processes gives "
          "the same bits; 0: 4 for a run that starts with --processes or torchrun, else 1");
    visit("recompute", self.recompute,
          "keep only the inputs of layers for the backward pass: less memory, more time");
    visit("precision", self.precision,
          "float32; bf16: products in bfloat16, weights in float32; float64: weights and data");
    visit("capture", self.capture,
          "on a CUDA device, steps on batches of many complexes are captured once per size and replayed: the "
          "same results in less time");
    visit("checkpoint_seconds", self.checkpoint_seconds,
          "a checkpoint at most that often; 0: after every step");
    visit("optimizer", self.optimizer);
    visit("schedule", self.schedule);
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault
};

/// Micro-batches of a run that starts with ranks, unless its settings say how many.
inline constexpr int standard_micro_batches = 4;

/// Where a run stands: the step to do next, and what earlier ones left behind.
struct TrainState {
  int epoch = 0, step = 0;
  double loss_sum = 0;  ///< over the steps of this epoch
  int best_epoch = -1;
  Patience patience;  ///< best value of the choosing metric, and validations since

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("epoch", self.epoch);
    visit("step", self.step);
    visit("loss_sum", self.loss_sum);
    visit("best_epoch", self.best_epoch);
    visit("patience", self.patience);
  }
};

enum class TrainEnd {
  finished,
  early_stopped,
  interrupted,  ///< the flag was set; resume() goes on
};

template <>
struct EnumNames<TrainEnd> {
  static constexpr std::pair<TrainEnd, std::string_view> names[] = {
      {TrainEnd::finished, "finished"},
      {TrainEnd::early_stopped, "early_stopped"},
      {TrainEnd::interrupted, "interrupted"}};
};

struct TrainResult {
  TrainEnd end = TrainEnd::finished;
  int epochs = 0;       ///< complete ones, of all sessions
  int best_epoch = -1;  ///< the one that counts, from 0; −1 before the first validation
  double best_value = std::numeric_limits<double>::quiet_NaN();  ///< of the choosing metric, then
  Metrics last;                                                  ///< of the last epoch of this session
};

/// What the loop may use besides the problem; each may be missing.
struct TrainServices {
  RunFolder* folder = nullptr;
  TrainObserver* observer = nullptr;
  const std::atomic<bool>* stop = nullptr;  ///< true: save a checkpoint and return
  Ranks* ranks = nullptr;  ///< that train together: all begin where rank 0 is, and stop together
};

class Trainer {
 public:
  Trainer(Trainable& trainable, TrainOptions options, std::uint64_t seed, TrainServices services = {});

  /// From the module's present weights. A loss or gradient that is not finite is Fault::numeric with epoch,
  /// step, the last checkpoint and a hint.
  TrainResult run();

  /// From the folder's last checkpoint, or from the start where there is none yet. Model, seed and options
  /// must be those of the checkpoint, except capture, how often it is written, patience and (unless the
  /// schedule is cosine) epochs. With more epochs the run is that of so many from its start, but that the
  /// last epoch of the shorter one was validated whatever validate_every says.
  TrainResult resume();

  /// Puts the weights of the epoch that counts (options.choose) into the module.
  void load_best();

 private:
  TrainResult session();
  TrainResult loop();
  void share_state();
  bool is_asked_to_stop(bool has_stepped);
  void do_step(std::int64_t steps);
  void end_epoch(std::int64_t steps);
  bool validate_epoch(Metrics& metrics);
  Checkpoint checkpoint() const;
  void save();
  void restore(const CheckpointFile& file);
  void write_best();
  [[noreturn]] void stop_numeric(const std::string& what) const;
  std::string where() const;

  Trainable& trainable_;
  TrainOptions options_;
  std::uint64_t seed_;
  TrainServices services_;
  Optimizer optimizer_;
  StepRunner runner_;
  Schedule schedule_;
  TrainState state_;
  NamedTensors best_;          // weights of the best epoch
  bool best_is_saved_ = true;  // checkpoints/best holds them
  std::string last_saved_;     // where() of the last checkpoint
  Metrics last_metrics_;
  std::chrono::steady_clock::time_point saved_at_;
};

}  // namespace gsan
