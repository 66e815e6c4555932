#define GSAN_VECTOR_BYTES 32
#include "gsan/ops/cpu/laplacian_step_kernel_impl.h"

namespace gsan::ops {

const LaplacianStepKernels laplacian_step_avx2 = {laplacian_step_rows<float>, laplacian_step_rows<double>};

}  // namespace gsan::ops
