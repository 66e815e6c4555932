#define GSAN_VECTOR_BYTES 64
#include "gsan/ops/cpu/incidence_kernel_impl.h"

namespace gsan::ops {

const IncidenceKernels incidence_avx512 = {incidence_rows<float>, incidence_rows<double>};

}  // namespace gsan::ops
