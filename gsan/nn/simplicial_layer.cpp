#include "gsan/nn/simplicial_layer.h"

#include <algorithm>

#include "gsan/nn/detail/layer_pass.h"

namespace gsan {

SimplicialLayerImpl::SimplicialLayerImpl(SimplicialLayerOptions options) : options_(std::move(options)) {
  options_.validate();
  SimplicialLayerImpl::reset();
  reset_parameters(stream_from_torch("simplicial layer"));
}

void SimplicialLayerImpl::reset() {
  terms_ = layer_terms(options_);
  weights_.clear();
  attention_.clear();
  metrics_.clear();
  biases_.assign(static_cast<std::size_t>(options_.order) + 1, {});
  const std::int64_t F_in = options_.in_channels, H = options_.heads, F_out = options_.out_channels;

  std::map<std::string, int> taps;  // a shared weight has the taps of its longest term
  for (const LayerTerm& term : terms_) taps[term.weight] = std::max(taps[term.weight], term.taps);
  for (const auto& [name, count] : taps)
    weights_[name] = register_parameter(name, torch::empty({F_in, count, H, F_out}));
  const auto add_matrix = [&](const std::string& name) {
    if (!weights_.contains(name)) weights_[name] = register_parameter(name, torch::empty({F_in, H, F_out}));
  };
  for (const int k : options_.active_orders()) {
    if (options_.identity) add_matrix(identity_weight(options_, k));
    if (options_.bias)
      biases_[k] = register_parameter(concat("bias_", k), torch::empty({options_.output_channels()}));
  }
  if (options_.harmonic != HarmonicKind::none) add_matrix("harmonic");

  for (const LayerTerm& term : terms_) {
    if (term.attention.empty() || attention_.contains(term.attention)) continue;
    attention_.emplace(term.attention,
                       register_module(term.attention, Attention(AttentionOptions::of(options_, term.taps))));
  }
  if (options_.uses(ShiftKind::weighted)) {
    const LearnedMetricOptions metric{
        .in_channels = options_.in_channels,
        .hidden_channels = options_.metric_channels > 0 ? options_.metric_channels : options_.out_channels,
        .heads = options_.heads,
        .negative_slope = options_.negative_slope,
        .uniform_start = options_.metric_start == MetricStart::uniform,
        .mean_one = options_.metric_scale == MetricScale::mean_one,
        .bound = options_.metric_bound,
        .initialization = options_.initialization};
    for (int k = 0; k <= options_.order; ++k)
      metrics_.push_back(register_module(concat("metric_", k), LearnedMetric(metric)));
  }
}

void SimplicialLayerImpl::reset_parameters(const RandomStream& stream) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, weight] : weights_)
    initialize(weight, options_.initialization, options_.in_channels, options_.out_channels, options_.gain,
               stream.substream(name));
  for (auto& [name, attention] : attention_) attention->reset_parameters(stream.substream(name));
  for (std::size_t k = 0; k < metrics_.size(); ++k)
    metrics_[k]->reset_parameters(stream.substream(concat("metric_", k)));
  for (std::size_t k = 0; k < biases_.size(); ++k) {
    if (!biases_[k].defined()) continue;
    if (options_.bias_range == 0) {
      biases_[k].zero_();
    } else {
      fill_uniform(biases_[k], -options_.bias_range, options_.bias_range,
                   stream.substream(concat("bias_", k)));
    }
  }
}

Cochains SimplicialLayerImpl::forward(const ComplexOperators& operators, const Cochains& signals) {
  return forward(operators, signals, {}).signals;
}

LayerOutput SimplicialLayerImpl::forward(const ComplexOperators& operators, const Cochains& signals,
                                         const ForwardContext& context) {
  return LayerPass(*this, operators, signals, context).run();
}

void SimplicialLayerImpl::pretty_print(std::ostream& stream) const {
  stream << "SimplicialLayer(" << describe(options_) << ")";
}

const Tensor& SimplicialLayerImpl::weight(const std::string& name) const {
  const auto found = weights_.find(name);
  GSAN_CHECK(found != weights_.end(), "SimplicialLayer: there is no weight '", name, "' with these options");
  return found->second;
}

const Attention& SimplicialLayerImpl::attention(const std::string& name) const {
  const auto found = attention_.find(name);
  GSAN_CHECK(found != attention_.end(), "SimplicialLayer: there is no attention '", name,
             "' with these options");
  return found->second;
}

const LearnedMetric& SimplicialLayerImpl::metric(int k) const {
  GSAN_CHECK(k >= 0 && k < static_cast<int>(metrics_.size()), "SimplicialLayer: there is no metric of order ",
             k, " with these options");
  return metrics_[k];
}

const Tensor& SimplicialLayerImpl::bias(int k) const {
  GSAN_CHECK(k >= 0 && k <= options_.order, "SimplicialLayer: orders are 0 ... ", options_.order, ", got ",
             k);
  return biases_[k];
}

}  // namespace gsan
