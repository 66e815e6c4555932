#define GSAN_VECTOR_BYTES 16
#include "gsan/ops/cpu/scaled_kernel_impl.h"

namespace gsan::ops {

const ScaledKernels scaled_portable = {scaled_rows<float>, scaled_rows<double>};

}  // namespace gsan::ops
