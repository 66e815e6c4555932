#include "apps/gsan/bench/pair_op.h"

#include <cmath>

#include "gsan/ops/pairs.h"
#include "gsan/ops/segments.h"

#include "apps/gsan/bench/inputs.h"

namespace gsan::app {

PairOpCase::PairOpCase(const ComplexOperators& operators, int k, Mechanism mechanism, int features,
                       const BenchOptions& options)
    : mechanism_(mechanism), neighborhood_(operators.neighborhood(k, Side::lower)) {
  const std::int64_t N = operators.count(k), F = features;
  receiver_ = random_tensor({N, 1, F}, options, "receiver").requires_grad_();
  source_ = random_tensor({N, 1, F}, options, "source").requires_grad_();
  v_ = random_tensor({1, F}, options, "v").requires_grad_();
  gradient_ = random_tensor({N, 1, F}, options, "gradient");
}

Tensor PairOpCase::result() const {
  const Neighborhood& n = neighborhood_;
  const Tensor scores = mechanism_ == Mechanism::gatv2
                            ? ops::gatv2_scores(receiver_, source_, v_, n.offsets, n.sources, n.mirror, 0.2)
                            : ops::pair_dot(receiver_, source_, n.offsets, n.sources, n.mirror) /
                                  std::sqrt(static_cast<double>(source_.size(2)));
  return ops::weighted_gather(ops::segment_softmax(scores, n.offsets), source_, n.offsets, n.sources,
                              n.mirror);
}

void PairOpCase::forward_backward() {
  for (Tensor* x : {&receiver_, &source_, &v_}) x->mutable_grad() = Tensor();
  result().backward(gradient_);
}

// Inputs and result once, and the tables: sources forward, with mirror backward. A number for each pair is
// not counted: it need not be stored.
Work PairOpCase::work(bool backward) const {
  const double rows = static_cast<double>(source_.nbytes());
  const double offsets = static_cast<double>(neighborhood_.offsets.nbytes());
  const double sources = static_cast<double>(neighborhood_.sources.nbytes());
  const double mirror = static_cast<double>(neighborhood_.mirror.nbytes());
  const double score = mechanism_ == Mechanism::gatv2 ? 4 : 2;  // operations for each feature of a pair
  const double flops =
      static_cast<double>(neighborhood_.pairs()) * ((score + 2) * static_cast<double>(source_.size(2)) + 10);
  const double forward = 3 * rows + offsets + sources;
  if (!backward) return {forward, flops};
  return {2 * forward + 2 * rows + mirror, 3 * flops};
}

void PairOpCase::run(BenchSuite& suite, const std::string& name, Json facts) {
  facts.update({{"simplices", source_.size(0)},
                {"pairs", neighborhood_.pairs()},
                {"features", source_.size(2)},
                {"mechanism", name_of(mechanism_)}});
  const double forward = suite.time(name + " forward", facts, work(false), [&] {
    const torch::NoGradGuard no_grad;
    result();
  });
  const double both = suite.time(name + " forward+backward", facts, work(true), [&] { forward_backward(); });
  suite.compare_passes(name, forward, both);
}

}  // namespace gsan::app
