// B_1 x, B_1^T x, B_2 x, B_2^T x at F = 32 on the Delaunay complex of random points in the
// plane (10^6 edges), with vertices in random order and along a Hilbert curve, against the
// CSR products of the same torch.
//
// GB/s count the bytes that must move: every row of x once, every row of the result once,
// the index tables once. "% copy" relates that to the fastest copy of as many bytes that was
// measured in this run (memcpy by all threads, torch's copy_). The table at the end gives
// medians, and the ratio to torch's CSR in the same order and in random order (the order
// in which data arrives: what reordering and this kernel gain together).
//
//   incidence_bench [--features=32] [--vertices=333000] [Google Benchmark's options]
// Against the drift of a shared machine: --benchmark_repetitions=5
//   --benchmark_enable_random_interleaving=true

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <ATen/Parallel.h>
#include <ATen/ops/sparse_csr_tensor.h>
#include <torch/types.h>
#include <torch/version.h>

#include "gsan/core/random.h"
#include "gsan/hodge/incidence.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/reorder.h"

#include "support/retained_memory.h"

namespace gsan {
namespace {

struct Job {
  std::string name;
  double bytes;
  std::function<void()> run;
  std::vector<double> seconds;

  double median() {
    if (seconds.empty()) return 0;  // filtered out
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                     seconds.end());
    return seconds[seconds.size() / 2];
  }
};

void measure(benchmark::State& state, Job& job) {
  using Clock = std::chrono::steady_clock;
  job.run();  // pages and caches are warm from here on
  for (auto _ : state) {
    const auto start = Clock::now();
    job.run();
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    job.seconds.push_back(elapsed);
    state.SetIterationTime(elapsed);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(job.bytes) * state.iterations());
}

double bytes_of(std::initializer_list<Tensor> tensors) {
  double bytes = 0;
  for (const Tensor& t : tensors) bytes += static_cast<double>(t.nbytes());
  return bytes;
}

/// One product, ours and torch's.
struct Product {
  std::string name;
  Job *ours, *csr;
};

class Comparison {
 public:
  explicit Comparison(std::int64_t features) : features_(features) {}

  void add_copies(std::int64_t rows) {
    const Tensor from = torch::rand({rows, features_}), to = torch::empty_like(from);
    const double bytes = bytes_of({from, to});
    copies_.push_back(add("copy/copy_", bytes, [=] { Tensor(to).copy_(from); }));
    copies_.push_back(add("copy/memcpy", bytes, [=] {
      at::parallel_for(0, static_cast<std::int64_t>(from.nbytes()), 1 << 20,
                       [&](std::int64_t begin, std::int64_t end) {
                         std::memcpy(static_cast<char*>(to.data_ptr()) + begin,
                                     static_cast<const char*>(from.const_data_ptr()) + begin,
                                     static_cast<std::size_t>(end - begin));
                       });
    }));
  }

  void add_products(const SimplicialComplex& complex, const std::string& order) {
    for (int k = 1; k <= 2; ++k) {
      const Incidence B(complex, k);
      const Tensor x = torch::randn({B.columns(), features_}), y = torch::randn({B.rows(), features_});
      const std::string name = order + "/B" + std::to_string(k);
      // int32 indices are what torch hands to MKL as they are.
      const Tensor signs = 1 - 2 * (B.coface_columns() % 2).to(torch::kFloat32);
      const Tensor csr = at::sparse_csr_tensor(B.coface_offsets().to(torch::kInt32), B.cofaces(), signs,
                                               {B.rows(), B.columns()}, torch::kFloat32);
      // Faces in increasing order, as CSR wants them: the last omits the first vertex.
      Tensor column_signs = torch::ones({k + 1});
      column_signs.slice(0, 1, k + 1, 2).fill_(-1);
      const Tensor csr_transposed =
          at::sparse_csr_tensor(torch::arange(0, (B.columns() + 1) * (k + 1), k + 1, torch::kInt32),
                                B.faces().flip(1).reshape({-1}), column_signs.flip(0).repeat({B.columns()}),
                                {B.columns(), B.rows()}, torch::kFloat32);
      add_pair(
          name + " x", bytes_of({x, y, B.coface_offsets(), B.cofaces(), B.coface_columns()}),
          [=] { benchmark::DoNotOptimize(B.boundary(x)); }, [=] { benchmark::DoNotOptimize(csr.matmul(x)); });
      add_pair(
          name + "^T x", bytes_of({x, y, B.faces()}), [=] { benchmark::DoNotOptimize(B.coboundary(y)); },
          [=] { benchmark::DoNotOptimize(csr_transposed.matmul(y)); });
    }
  }

  void print() {
    double copy_bandwidth = 0;
    for (Job* copy : copies_) {
      if (copy->median() > 0) copy_bandwidth = std::max(copy_bandwidth, copy->bytes / copy->median());
    }
    if (copy_bandwidth == 0) return;
    std::printf("\nfastest copy %.1f GB/s\n", copy_bandwidth / 1e9);
    std::printf("%-16s %8s %7s %7s %9s %9s %12s\n", "product", "ms", "GB/s", "% copy", "CSR ms", "vs CSR",
                "vs random CSR");
    for (std::size_t i = 0; i < products_.size(); ++i) {
      const Product& p = products_[i];
      const Product& random = products_[i % (products_.size() / 2)];  // random order was added first
      const double ours = p.ours->median(), csr = p.csr->median();
      if (ours == 0 || csr == 0) continue;
      std::printf("%-16s %8.2f %7.1f %7.0f %9.2f %8.1fx %12.1fx\n", p.name.c_str(), ours * 1e3,
                  p.ours->bytes / ours / 1e9, 100 * p.ours->bytes / ours / copy_bandwidth, csr * 1e3,
                  csr / ours, random.csr->median() / ours);
    }
  }

 private:
  Job* add(const std::string& name, double bytes, std::function<void()> run) {
    Job* job = &jobs_.emplace_back(Job{name, bytes, std::move(run), {}});
    benchmark::RegisterBenchmark(name.c_str(), [job](benchmark::State& state) { measure(state, *job); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->MinTime(0.2);
    return job;
  }

  void add_pair(const std::string& name, double bytes, std::function<void()> ours,
                std::function<void()> csr) {
    Job* const first = add(name, bytes, std::move(ours));
    products_.push_back({name, first, add(name + " CSR", bytes, std::move(csr))});
  }

  std::int64_t features_;
  std::deque<Job> jobs_;
  std::vector<Job*> copies_;
  std::vector<Product> products_;
};

// Takes "--name=number" out of the arguments, which Google Benchmark would refuse.
std::int64_t take_option(int& argc, char** argv, const std::string& name, std::int64_t fallback) {
  const std::string prefix = "--" + name + "=";
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], prefix.c_str(), prefix.size()) != 0) continue;
    fallback = std::atoll(argv[i] + prefix.size());
    std::copy(argv + i + 1, argv + argc, argv + i);
    --argc;
    break;
  }
  return fallback;
}

int run(int argc, char** argv) {
  const std::int64_t features = take_option(argc, argv, "features", 32);
  const std::int64_t vertices = take_option(argc, argv, "vertices", 333'000);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;

  RandomStream random(1, "points");
  std::vector<double> points(static_cast<std::size_t>(2 * vertices));
  for (double& coordinate : points) coordinate = random.uniform();
  const SimplicialComplex shuffled = delaunay(points, 2);  // points are drawn in random order
  const SimplicialComplex along_curve = relabel(shuffled, hilbert_order(points, 2)).complex;
  std::printf("torch %s, %d threads, %s\n", TORCH_VERSION, at::get_num_threads(), retained_memory_setting);
  std::printf("%d vertices, %d edges, %d triangles, F = %lld, float32\n", shuffled.count(0),
              shuffled.count(1), shuffled.count(2), static_cast<long long>(features));

  torch::InferenceMode inference;
  Comparison comparison(features);
  comparison.add_copies(shuffled.count(1));
  comparison.add_products(shuffled, "random");
  comparison.add_products(along_curve, "curve");
  benchmark::RunSpecifiedBenchmarks();
  comparison.print();
  return 0;
}

}  // namespace
}  // namespace gsan

int main(int argc, char** argv) {
  gsan::retain_memory();
  return gsan::run(argc, argv);
}
