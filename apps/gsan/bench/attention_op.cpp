#include "apps/gsan/bench/attention_op.h"

#include "apps/gsan/bench/inputs.h"

namespace gsan::app {
namespace {

double bytes_of(const std::vector<Tensor>& tensors) {
  double bytes = 0;
  for (const Tensor& t : tensors)
    if (t.defined()) bytes += static_cast<double>(t.nbytes());
  return bytes;
}

}  // namespace

AttentionOpCase::AttentionOpCase(const ComplexOperators& operators, int k, Structure structure, int features,
                                 const BenchOptions& options, bool sigmoid) {
  operands_.sigmoid = sigmoid;
  const std::int64_t N = operators.count(k);
  operands_.taps = random_tensor({N, 1, features}, options, "taps");
  // Scores of bf16 signals are float32.
  const auto of_scores = options.type() == torch::kBFloat16 ? torch::kFloat32 : options.type();
  operands_.receiver = random_tensor({N, 1}, options, "receiver", of_scores);
  operands_.source = random_tensor({N, 1}, options, "source", of_scores);
  gradient_ = random_tensor({N, features}, options, "gradient");
  if (structure == Structure::stars) {
    const Incidence& B = operators.incidence(k);
    operands_.structure = {B.faces(), B.coface_offsets(), B.cofaces(), B.coface_columns()};
    pairs_ = B.cofaces().numel();
  } else {
    const PairList& list = operators.pair_list(k, Side::lower);
    operands_.structure = {list.offsets, list.sources};
    pairs_ = list.pairs();
  }
}

double AttentionOpCase::run(BenchSuite& suite, const std::string& name, Json facts) {
  facts.update(
      {{"simplices", operands_.taps.size(0)}, {"pairs", pairs_}, {"features", operands_.taps.size(2)}});
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> kept;
  if (suite.wants_any({name + " forward", name + " forward+backward"}))
    kept = ops::attention_powers(operands_, true);
  const double forward = suite.time(name + " forward", facts, work(kept, false),
                                    [&] { kept = ops::attention_powers(operands_, true); });
  suite.time(name + " forward, inference", facts, work({gradient_}, false),
             [&] { ops::attention_powers(operands_, false); });
  const double both = suite.time(name + " forward+backward", facts, work(kept, true), [&] {
    kept = ops::attention_powers(operands_, true);
    ops::attention_powers_backward(gradient_, operands_, kept);
  });
  suite.compare_passes(name, forward, both);
  return both;
}

// A multiply-add for each pair (or entry of a star) and feature, and about ten operations for its weight; as
// much again on the way back. `written` has the size of the result and of what is kept for the way back.
Work AttentionOpCase::work(const std::vector<Tensor>& written, bool backward) const {
  const double inputs = bytes_of({operands_.taps, operands_.receiver, operands_.source});
  const double tables = bytes_of(operands_.structure);
  const double flops = static_cast<double>(pairs_) * (2.0 * static_cast<double>(operands_.taps.size(2)) + 10);
  const double forward = inputs + tables + bytes_of(written);
  if (!backward) return {forward, flops};
  return {2 * forward + bytes_of({gradient_}) + inputs, 2 * flops};
}

}  // namespace gsan::app
