#pragma once
// How long work takes: on the CPU by its clock, on a GPU by marks (CUDA events) in the queue that the GPU
// works off.

#include <functional>
#include <vector>

#include <torch/types.h>

namespace gsan::app {

/// Seconds of every timed run, increasing.
struct Timing {
  std::vector<double> seconds;
  double processor = 0;  ///< seconds of the CPU for a run, on average, summed over all threads

  double median() const;
  double least() const { return seconds.front(); }
  double spread() const { return (seconds.back() - seconds.front()) / median(); }
};

/// No case runs longer than this, however many repeats are asked for.
inline constexpr double most_seconds = 60;

/// Once to warm up (three times on a GPU), then at least `repeats` times and `seconds` long. On a GPU a run
/// lasts from the mark before it to the mark behind it; several runs wait in the queue at a time, so that the
/// GPU rests only where the CPU is too slow to keep it busy. Data that fit into the L2 cache stay there from
/// one run to the next.
Timing time_runs(const std::function<void()>& run, int repeats, double seconds,
                 torch::Device device = torch::kCPU);

}  // namespace gsan::app
