#include "apps/gsan/bench/timing.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "apps/gsan/console/device.h"

namespace gsan::app {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Seconds of `count` runs, one after the other.
std::vector<double> host_round(const std::function<void()>& run, int count) {
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    const auto start = Clock::now();
    run();
    seconds.push_back(since(start));
  }
  return seconds;
}

// The same on a GPU, all of them in its queue before the first is waited for.
std::vector<double> gpu_round(const std::function<void()>& run, int count, torch::Device device) {
  const c10::impl::VirtualGuardImpl gpu(device.type());
  std::vector<c10::Event> begin, end;
  for (int i = 0; i < count; ++i) {
    begin.emplace_back(device.type(), c10::EventFlag::BACKEND_DEFAULT);  // the default of torch has no time
    end.emplace_back(device.type(), c10::EventFlag::BACKEND_DEFAULT);
    begin.back().record(gpu.getStream(device));
    run();
    end.back().record(gpu.getStream(device));
  }
  synchronize(device);
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) seconds.push_back(begin[i].elapsedTime(end[i]) / 1e3);
  return seconds;
}

constexpr int gpu_warm_ups = 3, runs_of_a_round = 10;

}  // namespace

double Timing::median() const {
  const std::size_t n = seconds.size();
  return n % 2 == 1 ? seconds[n / 2] : (seconds[n / 2 - 1] + seconds[n / 2]) / 2;
}

Timing time_runs(const std::function<void()>& run, int repeats, double seconds, torch::Device device) {
  const bool on_gpu = device.is_cuda();
  auto start = Clock::now();
  for (int i = 0; i < (on_gpu ? gpu_warm_ups : 1); ++i) {
    synchronize(device);
    start = Clock::now();
    run();
  }
  synchronize(device);
  const bool is_long = since(start) > 1;
  Timing timing;
  double total = 0;
  const std::clock_t before = std::clock();
  do {
    const auto round = on_gpu ? gpu_round(run, is_long ? 1 : std::min(repeats, runs_of_a_round), device)
                              : host_round(run, 1);
    for (const double one : round) {
      timing.seconds.push_back(one);
      total += one;
    }
  } while (total < most_seconds && (static_cast<int>(timing.seconds.size()) < repeats || total < seconds));
  timing.processor = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC /
                     static_cast<double>(timing.seconds.size());
  std::sort(timing.seconds.begin(), timing.seconds.end());
  return timing;
}

}  // namespace gsan::app
