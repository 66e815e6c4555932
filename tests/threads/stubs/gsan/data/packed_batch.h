#pragma once
// In the place of the real one, which needs torch.

namespace gsan {

struct PackedBatch {
  long sum = 0;
};

}  // namespace gsan
