#include "gsan/hodge/solve/pair_matrix.h"

#include <cmath>

#include <ATen/Parallel.h>

namespace gsan {
namespace {

constexpr std::int64_t grain = 4096;

}  // namespace

PairMatrix pair_matrix(const SignedLists& incidence, const SignedLists& transposed, Index cap) {
  const Index rows = incidence.rows;
  PairMatrix matrix;
  matrix.diagonal.resize(rows);
  matrix.start.assign(static_cast<std::size_t>(rows) + 1, 0);
  at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      for (Offset e = incidence.begin(i); e < incidence.end(i); ++e) {
        const Index members = transposed.size(incidence.indices[e]);
        if (members <= cap) matrix.start[i + 1] += members - 1;
      }
      matrix.diagonal[i] = incidence.size(i);
    }
  });
  for (Index i = 0; i < rows; ++i) matrix.start[i + 1] += matrix.start[i];
  matrix.column.resize(static_cast<std::size_t>(matrix.start.back()));
  matrix.value.resize(static_cast<std::size_t>(matrix.start.back()));
  at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const Offset first = incidence.begin(i);
      Offset at = matrix.start[i];
      for (Offset e = first; e < incidence.end(i); ++e) {
        const Index shared = incidence.indices[e];
        if (transposed.size(shared) > cap) continue;
        const int sign = incidence.sign(first, e);
        const Offset members = transposed.begin(shared);
        for (Offset m = members; m < transposed.end(shared); ++m) {
          if (transposed.indices[m] == i) continue;
          matrix.column[at] = transposed.indices[m];
          matrix.value[at++] = static_cast<float>(sign * transposed.sign(members, m));
        }
      }
    }
  });
  return matrix;
}

GaugeKernel gauge_kernel(const PairMatrix& matrix) {
  GaugeKernel kernel;
  kernel.vector_of.assign(matrix.size(), GaugeKernel::none);
  kernel.sign.assign(matrix.size(), 0);
  std::vector<Index> component;
  for (Index root = 0; root < matrix.size(); ++root) {
    if (kernel.sign[root] != 0) continue;
    bool singular = true;
    kernel.sign[root] = 1;
    component.assign(1, root);
    for (std::size_t next = 0; next < component.size(); ++next) {
      const Index i = component[next];
      double row_sum = 0;
      for (Offset e = matrix.start[i]; e < matrix.start[i + 1]; ++e) {
        const Index j = matrix.column[e];
        const auto sign = static_cast<std::int8_t>(matrix.value[e] < 0 ? kernel.sign[i] : -kernel.sign[i]);
        row_sum += std::abs(matrix.value[e]);
        if (kernel.sign[j] == 0) {
          kernel.sign[j] = sign;
          component.push_back(j);
        } else if (kernel.sign[j] != sign) {
          singular = false;
        }
      }
      if (matrix.diagonal[i] != row_sum) singular = false;
    }
    if (!singular) continue;
    for (const Index i : component) kernel.vector_of[i] = static_cast<Index>(kernel.squared_norm.size());
    kernel.squared_norm.push_back(static_cast<double>(component.size()));
  }
  return kernel;
}

}  // namespace gsan
