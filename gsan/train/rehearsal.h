#pragma once
// What a run will take, found out by its first steps: they are made as in the run, timed, and forgotten.

#include <cstddef>
#include <cstdint>

#include "gsan/train/experiment.h"

namespace gsan {

struct Rehearsal {
  // --- measured
  std::int64_t steps = 0;         ///< made, the first among them
  double first_step_seconds = 0;  ///< with everything that is made on first use: neighbour pairs, bounds
  double step_seconds = 0;        ///< mean of the others; of the first where there was one only
  std::size_t bytes_before = 0;   ///< resident memory of the process before the first step
  std::size_t peak_bytes = 0;     ///< most resident memory of the process so far

  double validation_seconds = 0;       ///< of one validation, with what goes before it
  bool is_validation_measured = true;  ///< else estimated from one batch

  int ranks = 1;          ///< that made the steps together; times and memory are those of this one
  int micro_batches = 1;  ///< of a step

  // --- estimated from these
  std::int64_t steps_per_epoch = 0;  ///< of the first epoch
  double epoch_seconds = 0;          ///< steps, and the epoch's share of the validations
  double run_seconds = 0;            ///< all epochs; early stopping may end a run before
};

struct RehearsalOptions {
  double seconds = 2;
  Ranks* ranks = nullptr;  ///< that rehearse together, each the same experiment; what is found is of this one
};

/// Trains for about `seconds` after the first step, at least one more step where the run has one. The model
/// is not what it was afterwards: take another one for the run. Errors are those of the run, so that one of
/// memory or of a loss that is not finite is found before it starts.
Rehearsal rehearse(Experiment& experiment, const RehearsalOptions& with = {});

}  // namespace gsan
