#include "gsan/models/backbones/facets.h"

#include <algorithm>
#include <numeric>
#include <ostream>

#include "gsan/hodge/facets.h"
#include "gsan/models/model_kinds.h"
#include "gsan/nn/signals.h"
#include "gsan/ops/segments.h"

namespace gsan {
namespace {

constexpr double open_gate = 6;  // sigmoid(6) = 0.9975

// log Σ e^x over the rows of each segment, none of which is empty: [..., R, C] → [..., S, C].
Tensor segment_log_sum(const Tensor& x, const Tensor& offsets) {
  const Tensor largest = ops::segment_max(x.detach(), offsets);
  const Tensor shares = (x - ops::segment_spread(largest, offsets, x.sym_size(-2))).exp();
  return ops::segment_sum(shares, offsets).log() + largest;
}

std::string part_name(std::size_t k, std::size_t l) { return concat("order", k, "_layer", l); }

}  // namespace

std::vector<std::string> FacetsOptions::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const auto&... parts) {
    if (!holds) faults.push_back(concat(parts...));
  };
  require(width() >= 1, "in_channels must give an order at least one feature, got ",
          options::to_text(in_channels));
  for (const int channels : in_channels)
    require(channels >= 0, "in_channels must not be negative, got ", channels);
  require(out_channels >= 0, "out_channels must not be negative, got ", out_channels);
  require(hidden_channels >= 0, "hidden_channels must not be negative, got ", hidden_channels);
  require(n_layers >= 1, "n_layers must be at least 1, got ", n_layers);
  require(heads >= 1, "heads must be at least 1, got ", heads);
  return faults;
}

void FacetsOptions::validate() const { options::report("FacetsOptions", faults()); }

int FacetsOptions::width() const {
  return in_channels.empty() ? 0 : *std::max_element(in_channels.begin(), in_channels.end());
}

FacetLayerImpl::FacetLayerImpl(const Sizes& sizes, const RandomStream& stream)
    : torch::nn::Module("gsan::FacetLayer"), sizes_(sizes) {
  MlpOptions score;
  score.in_channels = sizes.in_channels;
  if (sizes.hidden_channels > 0) score.hidden = {sizes.hidden_channels};
  score.out_channels = sizes.heads;
  score.activation = Activation::tanh;
  score.bias = false;
  score_ = register_module("score", Mlp(score, stream));
  sharpness_ = register_parameter("sharpness", torch::empty({sizes.heads}));
  gate_ = register_parameter("gate", torch::empty({sizes.heads, sizes.in_channels}));
  gate_bias_ = register_parameter("gate_bias", torch::empty({sizes.heads}));
  exponent_ = register_parameter("exponent", torch::empty({sizes.heads, sizes.out_channels}));
  weight_ = register_parameter("weight", torch::empty({sizes.heads, sizes.out_channels}));
  bias_ = register_parameter("bias", torch::empty({sizes.out_channels}));
  reset_parameters(stream);
}

void FacetLayerImpl::reset_parameters(const RandomStream& stream) {
  const torch::NoGradGuard no_grad;
  score_->reset_parameters(stream);
  for (const Tensor& zero : {sharpness_, gate_, exponent_, bias_}) zero.zero_();
  gate_bias_.fill_(open_gate);
  weight_.fill_(1);
}

Tensor FacetLayerImpl::forward(const ComplexOperators& operators, int k, const Tensor& z) {
  const FacetMembers& table = facet_members(operators, k);
  const std::int64_t H = sizes_.heads, F = sizes_.in_channels, D = sizes_.out_channels;
  const Tensor scores = score_->forward(z) * sharpness_.exp();
  const Tensor attention =
      ops::segment_softmax(scores.index_select(-2, table.members), table.offsets);  // [..., P, H]
  const Tensor sent = attention.unsqueeze(-1) * z.index_select(-2, table.members).unsqueeze(-2);
  const Tensor held = ops::segment_sum(sent.flatten(-2), table.offsets).unflatten(-1, {H, F});  // h
  const Tensor gates =
      torch::log_sigmoid((held * gate_).sum(-1) + gate_bias_).unsqueeze(-1);  // [..., M, H, 1]
  const Tensor carried = held.index_select(-1, torch::arange(D, table.members.options()).remainder(F));
  const Tensor t = exponent_.exp();
  const Tensor shares = (carried * t + gates).flatten(-2).index_select(-2, table.facets);  // [..., P, H D]
  const Tensor sums = segment_log_sum(shares, table.of_member).unflatten(-1, {H, D}) / t;
  return (sums * weight_).mean(-2) + bias_;
}

FacetsImpl::FacetsImpl(FacetsOptions options, const RandomStream& stream)
    : Backbone("gsan::Facets"), options_(std::move(options)) {
  options_.validate();
  const std::vector<int> out = widths();
  for (std::size_t k = 0; k < options_.in_channels.size(); ++k) {
    std::vector<FacetLayer>& layers = layers_.emplace_back();
    int in = options_.in_channels[k];
    if (in == 0) continue;
    for (std::size_t l = 0; l < out.size(); ++l) {
      const FacetLayerImpl::Sizes sizes{in, out[l], options_.hidden_channels, options_.heads};
      layers.push_back(
          register_module(part_name(k, l), FacetLayer(sizes, stream.substream(part_name(k, l)))));
      in = out[l];
    }
  }
}

BackboneOutput FacetsImpl::run(const ComplexOperators& operators, const Cochains& signals,
                               const ForwardContext&) {
  GSAN_CHECK(signals.size() <= layers_.size(), "Facets: in_channels names the orders 0 ... ",
             static_cast<int>(layers_.size()) - 1, ", got signals of ", signals.size(), " orders");
  const SignalKind kind = signal_kind("Facets", operators, {&signals, 1}, parameters().front());
  const std::vector<int> out = widths();
  BackboneOutput output;
  output.layers.resize(out.size());
  for (int k = 0; k < static_cast<int>(layers_.size()); ++k) {
    const int channels = options_.in_channels[k];
    Tensor x = channels > 0 ? signal_or_zeros("Facets", operators, signals, k, channels, kind) : Tensor();
    for (std::size_t l = 0; l < out.size(); ++l) {
      x = channels > 0 ? layers_[k][l]->forward(operators, k, x) : kind.zeros(operators.count(k), out[l]);
      output.layers[l].push_back(x);
    }
  }
  return output;
}

void FacetsImpl::reset_parameters(const RandomStream& stream) {
  for (std::size_t k = 0; k < layers_.size(); ++k)
    for (std::size_t l = 0; l < layers_[k].size(); ++l)
      layers_[k][l]->reset_parameters(stream.substream(part_name(k, l)));
}

std::vector<int> FacetsImpl::widths() const {
  std::vector<int> all(static_cast<std::size_t>(options_.n_layers), options_.width());
  if (options_.out_channels > 0) all.back() = options_.out_channels;
  return all;
}

std::vector<int> FacetsImpl::orders() const {
  std::vector<int> all(options_.in_channels.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void FacetsImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::Facets(" << describe(options_) << ")";
}

extern const BackboneKind facets_backbone;
const BackboneKind facets_backbone{[](const ModelKind&, const ModelArguments&) {
                                     return AnyOptions(FacetsOptions{}, {"in_channels", "out_channels"});
                                   },
                                   [](const AnyOptions& any) { return any.as<FacetsOptions>().faults(); },
                                   all_orders,
                                   [](const ModelSpec& spec, const ModelShape& shape,
                                      const RandomStream& stream) -> std::shared_ptr<Backbone> {
                                     const int K = static_cast<int>(shape.in_channels.size()) - 1;
                                     FacetsOptions options = spec.backbone.as<FacetsOptions>();
                                     options.in_channels =
                                         read_input(spec.name, shape, all_orders(spec.backbone, K)).widths;
                                     if (spec.readout == "none") options.out_channels = shape.out_channels;
                                     return std::make_shared<FacetsImpl>(options, stream);
                                   },
                                   false,
                                   true};

}  // namespace gsan
