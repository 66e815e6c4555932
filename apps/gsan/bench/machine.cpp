#include "apps/gsan/bench/machine.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <thread>

#include <unistd.h>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/isa.h"

#include "apps/gsan/bench/threads.h"
#include "apps/gsan/runner/retained_memory.h"
#include "apps/gsan/console/processor.h"

namespace gsan::app {
namespace {

using Clock = std::chrono::steady_clock;

const char* name_of(ops::Isa isa) {
  switch (isa) {
    case ops::Isa::portable:
      return "portable";
    case ops::Isa::avx2:
      return "AVX2";
    case ops::Isa::avx512:
      return "AVX-512";
  }
  return "";
}

// What malloc was told: by the command, or by the variables that the C library reads.
std::string allocator_setting(bool retains_memory) {
  if (retains_memory) return concat("retained (", retained_memory_setting, ")");
  std::string text;
  for (const char* name : {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_TOP_PAD_",
                           "MALLOC_MMAP_MAX_", "GLIBC_TUNABLES", "LD_PRELOAD"}) {
    if (const char* value = std::getenv(name)) text += concat(text.empty() ? "" : " ", name, "=", value);
  }
  return text.empty() ? "default" : concat("default with ", text);
}

double fastest_seconds(int runs, const std::function<void()>& work) {
  double best = 1e30;
  for (int i = 0; i < runs; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

double copy_rate() {
  const std::int64_t bytes = std::int64_t{128} << 20;
  const torch::Tensor from = torch::ones({bytes}, torch::kUInt8), to = torch::ones({bytes}, torch::kUInt8);
  char* const target = static_cast<char*>(to.data_ptr());
  const char* const source = static_cast<const char*>(from.const_data_ptr());
  const double by_memcpy = fastest_seconds(8, [&] {
    at::parallel_for(0, bytes, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
    });
  });
  const double by_torch = fastest_seconds(8, [&] { torch::Tensor(to).copy_(from); });
  return 2.0 * static_cast<double>(bytes) / std::min(by_memcpy, by_torch);
}

constexpr int chains = 12;  // enough to hide the latency of a multiply-add on two ports
constexpr int rounds = 1 << 18;

template <int width>
struct VectorOf;
template <>
struct VectorOf<4> {
  typedef float Type __attribute__((vector_size(16)));
};
template <>
struct VectorOf<8> {
  typedef float Type __attribute__((vector_size(32)));
};
template <>
struct VectorOf<16> {
  typedef float Type __attribute__((vector_size(64)));
};

// x ← x m + c in `chains` independent vectors of `width` numbers; converges to a finite value.
template <int width>
[[gnu::always_inline]] inline float multiply_adds() {
  using Vector = typename VectorOf<width>::Type;
  Vector x[chains] = {}, m = {}, c = {};
  m += 0.5f;
  c += 1.0f;
#pragma GCC unroll 12
  for (int i = 0; i < chains; ++i) x[i] += static_cast<float>(i);
  for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) x[i] = x[i] * m + c;
  }
  float sum = 0;
#pragma GCC unroll 12
  for (int i = 0; i < chains; ++i) sum += x[i][0];
  return sum;
}

#if defined(__x86_64__)
[[gnu::target("avx512f,fma,prefer-vector-width=512")]] float multiply_adds_avx512() {
  return multiply_adds<16>();
}
[[gnu::target("avx2,fma")]] float multiply_adds_avx2() { return multiply_adds<8>(); }
#endif
float multiply_adds_portable() { return multiply_adds<4>(); }

struct Arithmetic {
  float (*run)();
  int width;
};

Arithmetic arithmetic_of(ops::Isa isa) {
#if defined(__x86_64__)
  if (isa == ops::Isa::avx512) return {multiply_adds_avx512, 16};
  if (isa == ops::Isa::avx2) return {multiply_adds_avx2, 8};
#endif
  static_cast<void>(isa);
  return {multiply_adds_portable, 4};
}

double arithmetic_rate(int threads) {
  const Arithmetic arithmetic = arithmetic_of(ops::current_isa());
  std::vector<float> results(static_cast<std::size_t>(threads));
  const double seconds = fastest_seconds(8, [&] {
    at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) results[static_cast<std::size_t>(i)] = arithmetic.run();
    });
  });
  GSAN_CHECK(results.front() > 0, "measure_roofline: the multiply-adds were not computed");
  return 2.0 * chains * rounds * arithmetic.width * threads / seconds;
}

}  // namespace

std::size_t physical_memory() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

Json describe_machine(bool retains_memory) {
  return {{"processor", processor_name()},
          {"cores", std::thread::hardware_concurrency()},
          {"cache_bytes",
           {{"l1d", ::sysconf(_SC_LEVEL1_DCACHE_SIZE)},
            {"l2", ::sysconf(_SC_LEVEL2_CACHE_SIZE)},
            {"l3", ::sysconf(_SC_LEVEL3_CACHE_SIZE)}}},
          {"memory_bytes", physical_memory()},
          {"kernels", name_of(ops::current_isa())},
          {"torch", GSAN_TORCH_VERSION},
          {"compiler", GSAN_COMPILER},
          {"allocator", allocator_setting(retains_memory)}};
}

Roofline measure_roofline(int threads) {
  const ThreadCount guard(threads);
  return {threads, copy_rate(), arithmetic_rate(threads)};
}

}  // namespace gsan::app
