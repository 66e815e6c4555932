#include "gsan/models/backbones/mpsn_layer.h"

#include <cmath>
#include <ostream>

#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"
#include "gsan/ops/column_scale.h"
#include "gsan/ops/row_product.h"
#include "gsan/ops/segments.h"

namespace gsan {

void MpsnLayerOptions::validate() const {
  std::vector<std::string> faults;
  if (order < 0) faults.push_back(concat("order must not be negative, got ", order));
  if (in_channels < 1) faults.push_back(concat("in_channels must be at least 1, got ", in_channels));
  if (out_channels < 1) faults.push_back(concat("out_channels must be at least 1, got ", out_channels));
  if (!std::isfinite(epsilon)) faults.push_back(concat("epsilon must be finite, got ", epsilon));
  options::report("MpsnLayerOptions", faults);
}

MpsnLayerImpl::MpsnLayerImpl(MpsnLayerOptions options)
    : MpsnLayerImpl(options, stream_from_torch("mpsn_layer")) {}

MpsnLayerImpl::MpsnLayerImpl(MpsnLayerOptions options, const RandomStream& stream)
    : torch::nn::Module("gsan::MpsnLayer"), options_(options) {
  options_.validate();
  MlpOptions update;
  update.in_channels = options_.in_channels;
  update.hidden = {options_.out_channels};
  update.out_channels = options_.out_channels;
  update.activation = options_.activation;
  update.activate_last = true;
  update.batch_norm = options_.batch_norm;
  MlpOptions combine = update;
  combine.in_channels = 2 * options_.out_channels;
  combine.hidden = {};
  for (int k = 0; k <= options_.order; ++k) {
    const RandomStream own = stream.substream(static_cast<std::uint64_t>(k));
    const auto name = [&](const char* what) { return concat("order", k, "_", what); };
    const auto epsilon = [&](const char* what) {
      return options_.train_epsilon ? register_parameter(name(what), torch::full({1}, options_.epsilon))
                                    : Tensor();
    };
    Order& part = orders_.emplace_back();
    const int width = options_.in_channels;
    if (options_.use_coboundaries && k < options_.order)
      part.message =
          register_module(name("message"), Linear(2 * width, width, true, own.substream("message")));
    part.update_upper = register_module(name("update_upper"), Mlp(update, own.substream("update_upper")));
    part.epsilon_upper = epsilon("epsilon_upper");
    if (!options_.boundaries) continue;
    part.update_boundary =
        register_module(name("update_boundary"), Mlp(update, own.substream("update_boundary")));
    part.epsilon_boundary = epsilon("epsilon_boundary");
    part.combine = register_module(name("combine"), Mlp(combine, own.substream("combine")));
  }
}

// Σ over cofaces c of i, over the other faces j of c, of M(x_j, x_c): what c sends to i is the sum over all
// its faces less the term of i itself.
Tensor MpsnLayerImpl::upper_sum(const ComplexOperators& operators, int k, const Tensor& x,
                                const Tensor& coface_x) const {
  const Incidence& B = operators.incidence(k + 1);
  const Linear& message = orders_[k].message;
  if (message.is_empty()) {
    const Tensor own = operators.coface_counts(k).to(x.scalar_type()).unsqueeze(-1) * x;
    return B.absolute_boundary(B.absolute_coboundary(x)) - own;
  }
  // The weight acts on simplices, once each, and only σ on incidences.
  const auto halves = message->weight.chunk(2, 1);
  const Tensor from_face = ops::row_product(x, halves[0].t(), message->bias);  // [..., N_k, F]
  const Tensor from_coface = ops::row_product(coface_x, halves[1].t());        // [..., N_{k+1}, F]
  const std::int64_t columns = k + 2;
  const std::vector<std::int64_t> table{B.columns(), columns};
  const Tensor sent =
      activate(options_.activation, from_face.index_select(-2, B.faces().flatten()).unflatten(-2, table) +
                                        from_coface.unsqueeze(-2));
  const Tensor received = (sent.sum(-2, /*keepdim=*/true) - sent).flatten(-3, -2);  // [..., N_{k+1} (k+2), F]
  const Tensor entries = B.cofaces().to(torch::kInt64).mul_(columns).add_(B.coface_columns());
  return ops::segment_sum(received.index_select(-2, entries), B.coface_offsets());
}

Tensor MpsnLayerImpl::own_term(const Tensor& epsilon, const Tensor& x) const {
  if (!epsilon.defined()) return (1 + options_.epsilon) * x;
  return ops::column_scale(x, (1 + epsilon).expand({x.size(-1)}));
}

Cochains MpsnLayerImpl::forward(const ComplexOperators& operators, const Cochains& x) {
  for (std::size_t k = orders_.size(); k < x.size(); ++k)
    GSAN_CHECK(!x[k].defined(), "MpsnLayer: the layer has orders 0 ... ", options_.order,
               " (option order), got a signal of order ", k);
  const SignalKind kind =
      signal_kind("MpsnLayer", operators, {&x, 1}, orders_[0].update_upper->parameters().front());
  Cochains signals;
  for (int k = 0; k <= options_.order; ++k)
    signals.push_back(signal_or_zeros("MpsnLayer", operators, x, k, options_.in_channels, kind));
  Cochains y;
  for (int k = 0; k <= options_.order; ++k) {
    Order& part = orders_[k];
    const Tensor& own = signals[k];
    const Tensor coface_x = k < options_.order ? signals[k + 1] : Tensor();
    const Tensor upper = part.update_upper->forward(own_term(part.epsilon_upper, own) +
                                                    upper_sum(operators, k, own, coface_x));
    if (!options_.boundaries) {
      y.push_back(upper);
      continue;
    }
    Tensor sum = own_term(part.epsilon_boundary, own);
    if (k > 0) sum = sum + operators.incidence(k).absolute_coboundary(signals[k - 1]);
    const Tensor boundary = part.update_boundary->forward(sum);
    y.push_back(part.combine->forward(torch::cat({upper, boundary}, -1)));
  }
  return y;
}

void MpsnLayerImpl::reset_parameters(const RandomStream& stream) {
  const torch::NoGradGuard no_grad;
  for (std::size_t k = 0; k < orders_.size(); ++k) {
    const RandomStream own = stream.substream(std::uint64_t{k});
    Order& part = orders_[k];
    if (!part.message.is_empty()) part.message->reset_parameters(own.substream("message"));
    part.update_upper->reset_parameters(own.substream("update_upper"));
    if (options_.train_epsilon) part.epsilon_upper.fill_(options_.epsilon);
    if (!options_.boundaries) continue;
    part.update_boundary->reset_parameters(own.substream("update_boundary"));
    if (options_.train_epsilon) part.epsilon_boundary.fill_(options_.epsilon);
    part.combine->reset_parameters(own.substream("combine"));
  }
}

void MpsnLayerImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::MpsnLayer(" << describe(options_) << ")";
}

}  // namespace gsan
