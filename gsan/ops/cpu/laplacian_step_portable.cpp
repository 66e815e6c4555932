#define GSAN_VECTOR_BYTES 16
#include "gsan/ops/cpu/laplacian_step_kernel_impl.h"

namespace gsan::ops {

const LaplacianStepKernels laplacian_step_portable = {laplacian_step_rows<float>, laplacian_step_rows<double>};

}  // namespace gsan::ops
