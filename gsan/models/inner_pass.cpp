#include "gsan/models/inner_pass.h"

#include "gsan/hodge/reordered_complex.h"

namespace gsan {
namespace {

bool fit(const ComplexOperators& operators, const Cochains& signals) {
  for (int k = 0; k < static_cast<int>(signals.size()); ++k) {
    const Tensor& x = signals[k];
    if (x.defined() && (x.dim() < 2 || x.size(-2) != operators.count(k) || x.device() != operators.device()))
      return false;
  }
  return true;
}

void restore(const ReorderedComplex& inner, std::vector<Tensor>& of_orders) {
  for (int k = 0; k < static_cast<int>(of_orders.size()); ++k) of_orders[k] = inner.restored(k, of_orders[k]);
}

void restore(const ReorderedComplex& inner, std::vector<std::vector<Tensor>>& of_layers) {
  for (std::vector<Tensor>& of_orders : of_layers) restore(inner, of_orders);
}

// The pairs by receiver, then by source, as they are listed in the given order.
void restore(const ReorderedComplex& inner, AttentionWeights& attention) {
  const ComplexOperators& operators = inner.operators();
  if (attention.order > operators.order()) return;
  const Tensor& sources = operators.sources(attention.order);
  const Tensor receiver = sources.index_select(0, attention.receivers),
               source = sources.index_select(0, attention.sources);
  const Tensor pairs = (receiver * operators.count(attention.order) + source).argsort();
  attention.receivers = receiver.index_select(0, pairs).to(attention.receivers.scalar_type());
  attention.sources = source.index_select(0, pairs).to(attention.sources.scalar_type());
  attention.weights = attention.weights.index_select(-2, pairs);
}

}  // namespace

BackboneOutput run_in_inner_order(Backbone& backbone, const ComplexOperators& operators,
                                  const Cochains& signals, const ForwardContext& context) {
  const ReorderedComplex* inner =
      context.check_finite || !fit(operators, signals) ? nullptr : inner_order(operators);
  if (inner == nullptr) return backbone.run(operators, signals, context);
  Cochains arranged;
  for (int k = 0; k < static_cast<int>(signals.size()); ++k)
    arranged.push_back(inner->arranged(k, signals[k]));
  BackboneOutput output = backbone.run(inner->operators(), arranged, context);
  restore(*inner, output.layers);
  restore(*inner, output.inputs);
  restore(*inner, output.activations);
  restore(*inner, output.metrics);
  for (std::vector<AttentionWeights>& of_layer : output.attention)
    for (AttentionWeights& attention : of_layer) restore(*inner, attention);
  return output;
}

}  // namespace gsan
