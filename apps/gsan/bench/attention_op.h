#pragma once
// ops::attention_powers by itself, on the lower neighbours of one order.

#include "gsan/hodge/operators.h"
#include "gsan/ops/attention_powers.h"

#include "apps/gsan/bench/suite.h"

namespace gsan::app {

enum class Structure { pairs, stars };

class AttentionOpCase {
 public:
  AttentionOpCase(const ComplexOperators& operators, int k, Structure structure, int features,
                  const BenchOptions& options, bool sigmoid = false);

  /// Cases "NAME forward" (keeping what the backward pass needs), "NAME forward, inference" and "NAME
  /// forward+backward", and what the backward pass takes of the forward one. Seconds of the last case, 0
  /// where it was left out.
  double run(BenchSuite& suite, const std::string& name, Json facts);

 private:
  Work work(const std::vector<Tensor>& written, bool backward) const;
  ops::AttentionOperands operands_;
  Tensor gradient_;
  std::int64_t pairs_;  // neighbours, or entries of the stars: what the kernel walks
};

}  // namespace gsan::app
