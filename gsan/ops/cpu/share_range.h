#pragma once
// at::parallel_for for kernels that compute with floats. Numbers below the smallest normal one, which a
// gradient behind a saturated σ is full of, cost a processor more than a hundred cycles each and are lost in
// whatever they are added to: kernels take and leave them as zeros.

#include <cstdint>

#include <ATen/Parallel.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace gsan::ops {

/// While it lives, the calling thread reads and writes numbers below the smallest normal one as zeros. Other
/// processors than x86 compute with them. No thread may be started meanwhile: it would inherit this for good.
class FlushedNumbers {
 public:
#if defined(__SSE2__)
  FlushedNumbers() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_results | flush_operands); }
  ~FlushedNumbers() { _mm_setcsr(before_); }
#else
  FlushedNumbers() {}
#endif
  FlushedNumbers(const FlushedNumbers&) = delete;
  FlushedNumbers& operator=(const FlushedNumbers&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
  unsigned before_;
#endif
};

/// f(first, last) for ranges that cover begin … end − 1, by all threads, in numbers that are flushed.
template <class F>
void share_range(std::int64_t begin, std::int64_t end, std::int64_t grain, const F& f) {
  at::parallel_for(begin, end, grain, [&](std::int64_t first, std::int64_t last) {
    const FlushedNumbers flushed;
    f(first, last);
  });
}

}  // namespace gsan::ops
