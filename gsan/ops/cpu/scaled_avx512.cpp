#define GSAN_VECTOR_BYTES 64
#include "gsan/ops/cpu/scaled_kernel_impl.h"

namespace gsan::ops {

const ScaledKernels scaled_avx512 = {scaled_rows<float>, scaled_rows<double>};

}  // namespace gsan::ops
