#pragma once
// Adam (Kingma, Ba 2015), AdamW (Loshchilov, Hutter 2019) and SGD with momentum, with the formulas of
// torch.optim. The whole state is a list of tensors, so it is stored and restored bit for bit.

#include <limits>
#include <string>
#include <vector>

#include <torch/nn/module.h>

#include "gsan/core/options.h"
#include "gsan/nn/safetensors.h"

namespace gsan {

enum class OptimizerKind { adam, adamw, sgd };

template <>
struct EnumNames<OptimizerKind> {
  static constexpr std::pair<OptimizerKind, std::string_view> names[] = {
      {OptimizerKind::adam, "adam"}, {OptimizerKind::adamw, "adamw"}, {OptimizerKind::sgd, "sgd"}};
};

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 1e-3;
  double weight_decay = 0;  ///< adam, sgd: times the weight, added to the gradient; adamw: decoupled
  double beta1 = 0.9;       ///< adam, adamw: decay of the mean of gradients
  double beta2 = 0.999;     ///< adam, adamw: decay of the mean of squares
  double epsilon = 1e-8;    ///< adam, adamw
  double momentum = 0;      ///< sgd
  bool nesterov = false;    ///< sgd
  double clip_norm = 0;     ///< largest Euclidean norm of all gradients together; 0: no limit

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "adam, adamw (decoupled weight decay) or sgd");
    visit("learning_rate", self.learning_rate, "size of the steps, before the schedule");
    visit("weight_decay", self.weight_decay,
          "pull of the weights towards 0; adam and sgd add it to the gradient");
    visit("beta1", self.beta1, "adam, adamw: memory of the mean of gradients");
    visit("beta2", self.beta2, "adam, adamw: memory of the mean of their squares");
    visit("epsilon", self.epsilon, "adam, adamw: added to the root of the squares");
    visit("momentum", self.momentum, "sgd: memory of the last steps");
    visit("nesterov", self.nesterov, "sgd: momentum with a look ahead");
    visit("clip_norm", self.clip_norm, "largest norm of all gradients together; 0: no limit");
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault
};

class Optimizer {
 public:
  /// Of the parameters that want a gradient now; they keep their names in the state.
  Optimizer(OptimizerOptions options, const torch::nn::Module& module);

  void zero_grad();

  /// Clips, then updates with learning_rate · `factor`; returns the norm of the gradients before clipping.
  /// Unless that is finite nothing is changed. A parameter without gradient stays as it is.
  double step(double factor = 1);

  /// The same in two halves, for a device of its own: queue_step() waits for nothing and reads nothing back,
  /// so that it can be captured. Rate, clipping factor and step counts are tensors there, and the norm, a
  /// float64 number, is too. What it does a second time for the same parameters allocates nothing that stays.
  void set_rate(double factor);
  Tensor queue_step();

  /// Whether the parameters are where the loop runs.
  bool is_on_host() const;

  /// "steps" int64 [parameters], and "NAME.first", "NAME.second" (adam: means of gradients and of their
  /// squares; sgd: momentum) of every parameter that was updated.
  NamedTensors state() const;

  /// Names, shapes and types must fit the parameters; nothing is changed otherwise.
  void restore(const NamedTensors& state);

  const OptimizerOptions& options() const { return options_; }

 private:
  struct Slot {
    std::string name;
    Tensor parameter, first, second;
    std::int64_t steps = 0;  // of step(); queue_step() counts in counts_
  };
  std::vector<std::int64_t> step_counts() const;
  void count_on_device();
  void update_adam(const std::vector<Slot*>& slots, double learning_rate);
  void update_sgd(Slot& slot, Tensor gradient, double learning_rate);
  OptimizerOptions options_;
  std::vector<Slot> slots_;
  // Of queue_step(), on the device of the parameters; undefined before the first one.
  Tensor counts_;                                               // float32 [parameters], updates so far
  Tensor rate_;                                                 // float32 []
  double set_rate_ = std::numeric_limits<double>::quiet_NaN();  // what rate_ holds
};

}  // namespace gsan
