#include "gsan/ops/cpu/isa.h"

#include <atomic>
#include <string>

#include <ATen/Version.h>

#include "gsan/core/check.h"

namespace gsan::ops {
namespace {

std::atomic<Isa>& chosen_isa() {
  static std::atomic<Isa> isa = supported_isa();
  return isa;
}

}  // namespace

Isa supported_isa() {
#ifdef GSAN_X86_KERNELS
  static const std::string capability = at::get_cpu_capability();
  if (capability == "AVX512") return Isa::avx512;
  if (capability == "AVX2") return Isa::avx2;
#endif
  return Isa::portable;
}

Isa current_isa() { return chosen_isa().load(std::memory_order_relaxed); }

void use_isa(Isa isa) {
  GSAN_CHECK(isa <= supported_isa(), "use_isa: this machine supports instruction sets up to number ",
             static_cast<int>(supported_isa()), " (0 portable, 1 AVX2, 2 AVX-512), got ",
             static_cast<int>(isa));
  chosen_isa().store(isa, std::memory_order_relaxed);
}

}  // namespace gsan::ops
