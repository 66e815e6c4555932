#pragma once
// How the layers of a model respond to the training set, before or while it is trained: what makes a model
// that cannot learn visible before time is spent on it.

#include <optional>
#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan {

/// One simplicial layer on the first batch of the training set, in eval mode.
struct LayerDiagnosis {
  int layer = 1;  ///< from 1
  std::string activation;
  std::int64_t outputs = 0;
  double saturated =
      0;              ///< share of the outputs at which σ is flat: tanh and sigmoid at their ends, relu at 0
  double spread = 0;  ///< largest standard deviation of a feature over the simplices of an order
  /// Largest minus smallest log weight: of a learned metric over an order, of attention over a neighbourhood.
  std::optional<double> log_weight_spread{};
  std::optional<double> gradient_norm{};  ///< of the loss of that batch, in all weights of the layer

  /// It passes on nothing that depends on its input, or no gradient reaches it.
  bool is_dead() const;
  std::string sentence() const;  ///< why, and what to try; of a dead one
};

/// Of every simplicial layer of the model; none for other backbones. Changes nothing: weights, their
/// gradients, random states and the mode of the model are as before. `with_gradients`: also the norms, by a
/// backward pass.
std::vector<LayerDiagnosis> diagnose(const Task& task, Model& model, bool with_gradients);

}  // namespace gsan
