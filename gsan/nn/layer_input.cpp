// What a SimplicialLayer accepts: the checks of one forward pass and feature dropout.

#include "gsan/core/check.h"
#include "gsan/nn/detail/layer_pass.h"
#include "gsan/ops/pair_dropout.h"

namespace gsan {

LayerPass::LayerPass(const SimplicialLayerImpl& layer, const ComplexOperators& operators,
                     const Cochains& signals, ForwardContext context, bool drop_features)
    : layer_(layer),
      options_(layer.options()),
      operators_(options_.incidence == IncidenceKind::absolute ? operators.absolute() : operators),
      context_(std::move(context)),
      drop_features_(drop_features) {
  if (layer.is_training() && (options_.dropout > 0 || options_.attention_dropout > 0))
    dropout_ = context_.dropout ? *context_.dropout : stream_from_torch("dropout");
  check_operators();
  take_signals(signals);
}

void LayerPass::check_operators() const {
  GSAN_CHECK(operators_.order() <= options_.order,
             "SimplicialLayer: the layer was made for order = ", options_.order,
             ", but the complex has order ", operators_.order(),
             "; make it with order = ", operators_.order(), " or pass the ", options_.order,
             "-skeleton of the complex");
}

void LayerPass::take_signals(const Cochains& signals) {
  const auto orders = static_cast<std::size_t>(options_.order) + 1;
  GSAN_CHECK(signals.size() <= orders, "SimplicialLayer: expected at most one signal per order 0 ... ",
             options_.order, ", got ", signals.size());
  const auto parameters = layer_.parameters();
  Tensor standard = parameters.empty() ? torch::empty({0}, operators_.device()) : parameters.front();
  for (const Tensor& x : signals)  // a layer without parameters takes any type
    if (parameters.empty() && x.defined()) standard = x;
  kind_ = signal_kind("SimplicialLayer", operators_, std::span(&signals, 1), standard);
  if (context_.check_finite) check_finite("SimplicialLayer", signals);
  z_.resize(orders);
  for (int k = 0; k < static_cast<int>(signals.size()); ++k) {
    if (!signals[k].defined()) continue;
    GSAN_CHECK(options_.is_active(k), "SimplicialLayer: there is a signal of order ", k,
               ", but the layer has orders = ", options::to_text(options_.active_orders()),
               "; leave that signal undefined or add its order");
    GSAN_CHECK(signals[k].size(-1) == options_.in_channels, "SimplicialLayer: the signal of order ", k,
               " must have in_channels = ", options_.in_channels, " features, got ", signals[k].size(-1));
    const Tensor x = signal_or_none("SimplicialLayer", operators_, signals, k, options_.in_channels);
    z_[k] = dropped_features(k, x);
  }
}

Tensor LayerPass::dropped_features(int k, const Tensor& x) const {
  if (!dropout_ || !drop_features_ || options_.dropout == 0) return x;
  // The mask of a pair list with the self terms alone, one "head" per feature.
  const auto index = torch::TensorOptions().dtype(torch::kInt32).device(x.device());
  const std::int64_t N = operators_.count(k);
  const RandomStream stream = dropout_->substream("features").substream(static_cast<std::uint64_t>(k));
  const Tensor mask = ops::pair_dropout_mask(torch::arange(N, index), torch::full({N}, -1, index),
                                             operators_.local_numbers(k), operators_.part_keys(k),
                                             signal_keys(), static_cast<std::int64_t>(stream.key()),
                                             options_.dropout, options_.in_channels, type());
  return x * mask.view(x.sizes());
}

Tensor LayerPass::signal_keys() const {
  const std::int64_t signals = c10::multiply_integers(kind_.leading);
  if (!context_.signal_keys.defined())
    return torch::arange(signals, torch::TensorOptions().dtype(torch::kInt64).device(kind_.type.device()));
  GSAN_CHECK(context_.signal_keys.numel() == signals,
             "SimplicialLayer: signal_keys must hold one key for each of the ", signals, " signals, got ",
             context_.signal_keys.numel());
  return context_.signal_keys.to(kind_.type.device(), torch::kInt64).flatten();
}

}  // namespace gsan
