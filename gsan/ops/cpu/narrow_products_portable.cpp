#define GSAN_VECTOR_BYTES 16
#include "gsan/ops/cpu/narrow_products_impl.h"

namespace gsan::ops {

const NarrowBuild narrow_products_portable = {narrow_kernels<float>, narrow_kernels<double>};

}  // namespace gsan::ops
