#pragma once
// One source, one build per instruction set. CMake compiles every kernel source of its list
// (gsan/ops/CMakeLists.txt) once for each, with the macros
//   GSAN_ISA           portable, avx2 or avx512
//   GSAN_VECTOR_BYTES  width of the registers
// A kernel source is free of torch, and all it defines but its table is in an unnamed namespace: the linker
// must not merge inline functions of different builds. cpu/isa.h chooses among the tables at run time.

namespace gsan::ops {

/// A kernel for both types of numbers.
template <template <class> class Kernel>
struct KernelTable {
  Kernel<float> of_float;
  Kernel<double> of_double;
};

}  // namespace gsan::ops

/// In the header of a kernel: its tables, one per build.
/// GSAN_BUILDS_OF(name): all of them, as arguments of current_build().
#ifdef GSAN_X86_KERNELS
#define GSAN_DECLARE_KERNEL(name, Kernel) \
  extern const ::gsan::ops::KernelTable<Kernel> name##_portable, name##_avx2, name##_avx512
#define GSAN_BUILDS_OF(name) name##_portable, name##_avx2, name##_avx512
#else
#define GSAN_DECLARE_KERNEL(name, Kernel) extern const ::gsan::ops::KernelTable<Kernel> name##_portable
#define GSAN_BUILDS_OF(name) name##_portable
#endif

/// In the source of a kernel: the table of this build, from `kernel`, a template over the type.
#define GSAN_DEFINE_KERNEL(name, Kernel, kernel) GSAN_DEFINE_BUILD(name, GSAN_ISA, Kernel, kernel)
#define GSAN_DEFINE_BUILD(name, isa, Kernel, kernel) GSAN_DEFINE_TABLE(name, isa, Kernel, kernel)
#define GSAN_DEFINE_TABLE(name, isa, Kernel, kernel) \
  const ::gsan::ops::KernelTable<Kernel> name##_##isa = {kernel<float>, kernel<double>}
