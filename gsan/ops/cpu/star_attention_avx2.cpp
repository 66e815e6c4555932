#define GSAN_VECTOR_BYTES 32
#include "gsan/ops/cpu/star_attention_kernel_impl.h"

namespace gsan::ops {

const AllStarKernels stars_avx2 = {star_kernels<float>, star_kernels<double>};

}  // namespace gsan::ops
