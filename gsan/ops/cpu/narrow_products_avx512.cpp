#define GSAN_VECTOR_BYTES 64
#include "gsan/ops/cpu/narrow_products_impl.h"

namespace gsan::ops {

const NarrowBuild narrow_products_avx512 = {narrow_kernels<float>, narrow_kernels<double>};

}  // namespace gsan::ops
