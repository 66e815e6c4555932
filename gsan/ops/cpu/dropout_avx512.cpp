#include "gsan/ops/cpu/dropout_kernel_impl.h"

namespace gsan::ops {

const DropoutKernels dropout_avx512 = {dropout_pairs<float>, dropout_pairs<double>};

}  // namespace gsan::ops
