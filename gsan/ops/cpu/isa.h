#pragma once
// Which build of a CPU kernel runs. A kernel source that gains from wider vectors is
// compiled once per instruction set (cpu/kernel_builds.h) and chosen at run time.

#include <type_traits>

namespace gsan::ops {

enum class Isa { portable, avx2, avx512 };

/// What torch chose for this machine (ATEN_CPU_CAPABILITY=default|avx2|avx512 overrides it).
Isa supported_isa();

/// The instruction set in use: supported_isa() unless use_isa() lowered it.
Isa current_isa();

/// Makes all later calls use `isa`, for tests that compare the builds of a kernel; an error
/// when the machine does not support it.
void use_isa(Isa isa);

/// The kernel for numbers T in the build for current_isa(): current_build<T>(GSAN_BUILDS_OF(name)). Where
/// there is only the portable build, that one.
template <class T, class Table, class... Wider>
const auto& current_build(const Table& portable, const Wider&... wider) {
  const Table* const builds[] = {&portable, &wider...};
  const Table& chosen = *builds[sizeof...(wider) > 0 ? static_cast<int>(current_isa()) : 0];
  if constexpr (std::is_same_v<T, float>)
    return chosen.of_float;
  else
    return chosen.of_double;
}

}  // namespace gsan::ops
