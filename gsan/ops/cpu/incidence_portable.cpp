#define GSAN_VECTOR_BYTES 16
#include "gsan/ops/cpu/incidence_kernel_impl.h"

namespace gsan::ops {

const IncidenceKernels incidence_portable = {incidence_rows<float>, incidence_rows<double>};

}  // namespace gsan::ops
