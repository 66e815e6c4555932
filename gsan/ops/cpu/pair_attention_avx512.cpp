#define GSAN_VECTOR_BYTES 64
#include "gsan/ops/cpu/pair_attention_kernel_impl.h"

namespace gsan::ops {

const PairAttentionBuild pair_attention_avx512 = {pair_attention_kernels<float>,
                                                  pair_attention_kernels<double>};

}  // namespace gsan::ops
