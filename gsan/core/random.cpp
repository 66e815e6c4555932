// Compiled without contraction to fused multiply-adds (see CMakeLists.txt), and with a
// logarithm of its own: libm's last bits differ between platforms.
#include "gsan/core/random.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/core/stream_record.h"

namespace gsan {
namespace {

// ln x for 0 < x < 1, from + − × ÷ alone: with x = m 2^e and s = (m−1)/(m+1),
// ln x = e ln 2 + 2 (s + s³/3 + s⁵/5 + …); |s| < 0.172, so 12 terms reach 1e-19.
double natural_logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  double series = 0;
  for (int n = 23; n >= 1; n -= 2) series = series * (s * s) + 1.0 / n;
  return exponent * 0.69314718055994531 + 2 * s * series;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose)
    : key_(RandomStream(seed).substream(purpose).key_) {}

RandomStream RandomStream::substream(std::string_view name) const {
  const RandomStream made(hash64(name, mix64(key_ + 0x9e3779b97f4a7c15ULL)));
  StreamRecord::note(key_, made.key_, name);
  return made;
}

RandomStream RandomStream::substream(std::uint64_t index) const {
  // Another constant than above: an index and a name are different things.
  const RandomStream made(mix64(mix64(key_ + 0xd1b54a32d192ed03ULL) + mix64(index + 0x9e3779b97f4a7c15ULL)));
  StreamRecord::note(key_, made.key_, index);
  return made;
}

void RandomStream::seek(std::uint64_t position) {
  position_ = position & ~std::uint64_t{1};
  if (position & 1) (*this)();
}

RandomStream::result_type RandomStream::operator()() {
  const std::uint64_t n = position_++;
  if (n % 2 == 0) {
    block_ = at({static_cast<std::uint32_t>(n >> 1), static_cast<std::uint32_t>(n >> 33), 0, 0});
    return std::uint64_t{block_[1]} << 32 | block_[0];
  }
  return std::uint64_t{block_[3]} << 32 | block_[2];
}

double RandomStream::uniform(double low, double high) {
  GSAN_CHECK(std::isfinite(low) && std::isfinite(high) && low < high && std::isfinite(high - low),
             "RandomStream::uniform: needs finite low < high, got ", low, " and ", high);
  const double value = low + (high - low) * uniform();
  return value < high ? value : std::nextafter(high, low);  // rounding may reach high
}

// Marsaglia's polar method; its second number is dropped so that the position alone
// is the state.
double RandomStream::normal() {
  for (;;) {
    const double u = 2 * uniform() - 1, v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * natural_logarithm(s) / s);
  }
}

std::uint64_t RandomStream::below(std::uint64_t n) {
  GSAN_CHECK(n > 0, "RandomStream::below: n must be at least 1, got 0");
  const std::uint64_t rejected = (0 - n) % n;  // 2^64 mod n words would be favoured
  std::uint64_t word = (*this)();
  while (word < rejected) word = (*this)();
  return word % n;
}

}  // namespace gsan
