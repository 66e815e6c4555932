// Attention with GAT scores over the pairs of the lower adjacency of Delaunay edges: inference, forward with
// what the backward needs, and both, at F = 16, 32, 64 with one and two threads, vertices in random order and
// along a Hilbert curve.
//
// GB/s count the bytes that must move: forward x, y and u once, the list once; backward g, y, u, x and the
// gradient of x once, the list once. "% copy" relates that to the fastest copy measured in this run with as
// many threads.
//
//   attention_bench [--edges=100000,1000000] [Google Benchmark's options]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/version.h>

#include "gsan/core/random.h"
#include "gsan/hodge/neighborhood.h"
#include "gsan/ops/attention.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/reorder.h"

#include "support/retained_memory.h"

namespace gsan {
namespace {

struct Job {
  std::string name;
  int threads;
  double bytes;
  std::function<void()> run;
  std::vector<double> seconds;

  double median() {
    if (seconds.empty()) return 0;  // filtered out
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
  }
};

void measure(benchmark::State& state, Job& job) {
  using Clock = std::chrono::steady_clock;
  at::set_num_threads(job.threads);
  job.run();  // pages and caches are warm from here on
  for (auto _ : state) {
    const auto start = Clock::now();
    job.run();
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    job.seconds.push_back(elapsed);
    state.SetIterationTime(elapsed);
  }
}

class Bench {
 public:
  void add_copy() {
    const Tensor from = torch::rand({std::int64_t{1} << 25}), to = torch::empty_like(from);
    for (const int threads : {1, 2})
      add("copy", threads, 2. * static_cast<double>(from.nbytes()), [=] { Tensor(to).copy_(from); });
  }

  void add_complex(const SimplicialComplex& complex, const std::string& order) {
    const Neighborhood list = make_neighborhood(complex, 1, Side::lower, std::size_t{1} << 32);
    for (const std::int64_t features : {16, 32, 64}) {
      ops::AttentionOperands o;
      o.taps = torch::randn({list.simplices(), 1, features});
      o.receiver = torch::randn({list.simplices(), 1}), o.source = torch::randn({list.simplices(), 1});
      o.structure = {list.offsets, list.sources};
      const Tensor gradient = torch::randn({list.simplices(), features});
      const double signal = static_cast<double>(gradient.nbytes()),
                   table = static_cast<double>(list.offsets.nbytes() + list.sources.nbytes());
      const std::string name = concat(order, '/', list.simplices(), "/F=", features);
      for (const int threads : {1, 2}) {
        add(name + "/inference", threads, 2 * signal + table,
            [=] { benchmark::DoNotOptimize(ops::attention_forward(o, false)); });
        add(name + "/forward", threads, 3 * signal + table,
            [=] { benchmark::DoNotOptimize(ops::attention_forward(o, true)); });
        add(name + "/both", threads, 8 * signal + 2 * table, [=] {
          benchmark::DoNotOptimize(ops::attention_backward(gradient, o, ops::attention_forward(o, true)));
        });
      }
    }
  }

  void print() {
    std::map<int, double> copies;
    for (Job& job : jobs_)
      if (job.name == "copy" && job.median() > 0) copies[job.threads] = job.bytes / job.median();
    std::printf("\n%-36s %7s %9s %7s %7s\n", "work", "threads", "ms", "GB/s", "% copy");
    for (Job& job : jobs_) {
      const double seconds = job.median();
      if (seconds == 0) continue;
      const double rate = job.bytes / seconds, copy = copies[job.threads];
      std::printf("%-36s %7d %9.2f %7.1f %7.0f\n", job.name.c_str(), job.threads, seconds * 1e3, rate / 1e9,
                  copy > 0 ? 100 * rate / copy : 0);
    }
  }

 private:
  void add(const std::string& name, int threads, double bytes, std::function<void()> run) {
    Job* job = &jobs_.emplace_back(Job{name, threads, bytes, std::move(run), {}});
    benchmark::RegisterBenchmark(concat(name, '/', threads).c_str(),
                                 [job](benchmark::State& state) { measure(state, *job); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->MinTime(0.2);
  }

  std::deque<Job> jobs_;
};

int run(int argc, char** argv) {
  std::vector<std::int64_t> sizes = {100'000, 1'000'000};
  if (argc > 1 && std::strncmp(argv[1], "--edges=", 8) == 0) {
    sizes.clear();
    for (char* at = argv[1] + 8; *at; at += *at == ',') sizes.push_back(std::strtoll(at, &at, 10));
    std::copy(argv + 2, argv + argc, argv + 1);
    --argc;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::printf("torch %s, %s\n", TORCH_VERSION, retained_memory_setting);
  torch::InferenceMode inference;
  Bench bench;
  bench.add_copy();
  for (const std::int64_t edges : sizes) {
    RandomStream random(1, "points");
    std::vector<double> points(static_cast<std::size_t>(2 * (edges / 3)));
    for (double& coordinate : points) coordinate = random.uniform();
    const SimplicialComplex shuffled = delaunay(points, 2);  // points are drawn in random order
    bench.add_complex(shuffled, "random");
    bench.add_complex(relabel(shuffled, hilbert_order(points, 2)).complex, "curve");
  }
  benchmark::RunSpecifiedBenchmarks();
  bench.print();
  return 0;
}

}  // namespace
}  // namespace gsan

int main(int argc, char** argv) {
  gsan::retain_memory();
  return gsan::run(argc, argv);
}
