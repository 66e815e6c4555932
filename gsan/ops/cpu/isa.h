#pragma once
// Which build of a CPU kernel runs. A kernel source that gains from wider vectors is
// compiled once per instruction set and chosen at run time.

namespace gsan::ops {

enum class Isa { portable, avx2, avx512 };

/// What torch chose for this machine (ATEN_CPU_CAPABILITY=default|avx2|avx512 overrides it).
Isa supported_isa();

/// The instruction set in use: supported_isa() unless use_isa() lowered it.
Isa current_isa();

/// Makes all later calls use `isa`, for tests that compare the builds of a kernel; an error
/// when the machine does not support it.
void use_isa(Isa isa);

}  // namespace gsan::ops
