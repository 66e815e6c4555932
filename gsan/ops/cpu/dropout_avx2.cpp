#include "gsan/ops/cpu/dropout_kernel_impl.h"

namespace gsan::ops {

const DropoutKernels dropout_avx2 = {dropout_pairs<float>, dropout_pairs<double>};

}  // namespace gsan::ops
