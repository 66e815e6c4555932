#pragma once
// A forest of decision trees. Breiman: Random forests. Machine Learning 45, 2001.

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "gsan/core/random.h"

namespace gsan {

using torch::Tensor;

struct RandomForestOptions {
  int trees = 100;
  int max_features = 0;  ///< tried at each node; 0 = ⌊√F⌋, at least 1
};

/// Each tree is grown on as many items as there are, drawn with repeats, until its leaves are pure: at each
/// node the split of least Gini impurity among max_features features that are not constant there.
class RandomForest {
 public:
  /// x [n, F], finite; labels int64 [n] in 0 … classes − 1. Tree t draws from stream.substream(t).
  RandomForest(const Tensor& x, const Tensor& labels, int classes, const RandomStream& stream,
               const RandomForestOptions& options = {});

  /// Mean over the trees of the shares of the classes in the leaf: [n, F] → [n, classes] float64.
  Tensor probabilities(const Tensor& x) const;

 private:
  struct Node {
    int feature = -1;  // −1: a leaf
    double threshold = 0;
    std::int32_t left = 0, right = 0;  // x ≤ threshold goes left
    std::int32_t shares = 0;           // of a leaf: first of `classes` numbers in shares_
  };
  class Grower;
  int classes_;
  std::int64_t features_;
  std::vector<std::vector<Node>> trees_;
  std::vector<double> shares_;
};

}  // namespace gsan
