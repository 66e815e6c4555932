#define GSAN_VECTOR_BYTES 16
#include "gsan/ops/cpu/star_attention_kernel_impl.h"

namespace gsan::ops {

const AllStarKernels stars_portable = {star_kernels<float>, star_kernels<double>};

}  // namespace gsan::ops
