#pragma once
// Options that use every part of the state, and what two runs must agree in.

#include <string>

#include "gsan/core/atomic_file.h"
#include "gsan/nn/weights.h"
#include "gsan/train/trainer.h"

#include "train/tiny_problem.h"

namespace gsan {

inline constexpr std::uint64_t sample_seed = 5;

/// Momentum, clipping, warm-up and a plateau that falls; ends early within 12 epochs.
inline TrainOptions sample_options() {
  TrainOptions options;
  options.epochs = 12;
  options.patience = 4;
  options.checkpoint_seconds = 1e9;
  options.optimizer.kind = OptimizerKind::sgd;
  options.optimizer.momentum = 0.9;
  options.optimizer.learning_rate = 0.15;
  options.optimizer.clip_norm = 2;
  options.schedule.kind = ScheduleKind::plateau;
  options.schedule.patience = 1;
  options.schedule.warmup_epochs = 1.5;
  return options;
}

inline RunFolder new_folder(const std::filesystem::path& path) {
  return RunFolder::create(path, make_manifest(sample_seed), "");
}

inline std::string bytes_of(const NamedTensors& tensors) {
  std::string bytes;
  for (const auto& [name, tensor] : tensors) {
    const Tensor values = tensor.detach().contiguous();
    bytes += name;
    bytes.append(static_cast<const char*>(values.const_data_ptr()), values.nbytes());
  }
  return bytes;
}

/// Everything that a run leaves, as bytes: weights and buffers, the best ones, the metrics.
struct Outcome {
  std::string weights, best, metrics;
  int epochs = 0, best_epoch = 0;
  TrainEnd end = TrainEnd::finished;
  bool operator==(const Outcome&) const = default;
};

inline Outcome outcome(TinyProblem& problem, Trainer& trainer, const RunFolder& folder,
                       const TrainResult& result) {
  Outcome all;
  all.weights = bytes_of(weights_of(problem.module()));
  trainer.load_best();
  all.best = bytes_of(weights_of(problem.module()));
  all.metrics = read_file(folder.metrics_file());
  all.epochs = result.epochs;
  all.best_epoch = result.best_epoch;
  all.end = result.end;
  return all;
}

}  // namespace gsan
