#define GSAN_VECTOR_BYTES 32
#include "gsan/ops/cpu/pair_attention_kernel_impl.h"

namespace gsan::ops {

const PairAttentionBuild pair_attention_avx2 = {pair_attention_kernels<float>,
                                                pair_attention_kernels<double>};

}  // namespace gsan::ops
