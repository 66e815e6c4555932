#include "gsan/data/mean_of_faces.h"

#include <torch/types.h>

namespace gsan {

Tensor mean_of_faces(const SimplicialComplex& complex, int k, const Tensor& below) {
  const auto width = below.size(1);
  if (complex.count(k) == 0) return torch::zeros({0, width}, below.options());
  const auto table = complex.face_table(k);
  const Tensor faces = torch::tensor(std::vector<std::int64_t>(table.begin(), table.end()), torch::kInt64);
  return below.index_select(0, faces).view({complex.count(k), k + 1, width}).mean(1);
}

}  // namespace gsan
