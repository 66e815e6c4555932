#pragma once
// Attention whose scores look at whole pairs (gatv2, dot), by itself: scores of two projected sides, softmax
// over the neighbours, sum of the neighbours; backward through autograd.

#include "gsan/hodge/operators.h"
#include "gsan/nn/attention/mechanisms.h"

#include "apps/gsan/bench/suite.h"

namespace gsan::app {

class PairOpCase {
 public:
  /// On the lower neighbours of order k; gatv2 or dot.
  PairOpCase(const ComplexOperators& operators, int k, Mechanism mechanism, int features,
             const BenchOptions& options);

  /// Cases "NAME forward" (without a graph) and "NAME forward+backward", and the ratio of the passes.
  void run(BenchSuite& suite, const std::string& name, Json facts);

 private:
  Tensor result() const;
  void forward_backward();
  Work work(bool backward) const;
  Mechanism mechanism_;
  Neighborhood neighborhood_;
  Tensor receiver_, source_, v_, gradient_;  // [N, 1, F] ×2, [1, F], [N, 1, F]; the sum is of source_
};

}  // namespace gsan::app
