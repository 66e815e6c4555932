#include "gsan/nn/attention/attention.h"

#include "gsan/hodge/neighborhood/star_statistics.h"
#include "gsan/ops/segments.h"
#include "gsan/ops/sum_activation.h"

namespace gsan {

AttentionOptions AttentionOptions::of(const SimplicialLayerOptions& layer, int taps) {
  return {.mechanism = layer.mechanism,
          .heads = layer.heads,
          .width = taps * layer.out_channels,
          .channels = layer.attention_channels > 0 ? layer.attention_channels : layer.out_channels,
          .negative_slope = layer.negative_slope,
          .gate = layer.gate,
          .initialization = layer.initialization};
}

bool attends_over_stars(int k, Side side, Gate gate, double statistic, std::int64_t features) {
  return meets_in_faces(k, side) && gate == Gate::softmax &&
         choose_kernel(statistic, features) == AttentionKernel::stars;
}

AttentionImpl::AttentionImpl(const AttentionOptions& options_) : options(options_) { AttentionImpl::reset(); }

void AttentionImpl::reset() {
  for (const AttentionParameter& p : mechanism().parameters(options))
    register_parameter(p.name, torch::empty(p.sizes));
}

void AttentionImpl::reset_parameters(const RandomStream& stream) {
  for (const AttentionParameter& p : mechanism().parameters(options))
    initialize(parameter(p.name), options.initialization, p.fan_in, p.fan_out, 1, stream.substream(p.name));
}

const Tensor& AttentionImpl::parameter(const std::string& name) const {
  const Tensor* found = parameters_.find(name);
  if (found != nullptr) return *found;
  std::string known;
  for (const std::string& key : parameters_.keys()) known += (known.empty() ? "" : ", ") + key;
  fail(Fault::argument, "Attention: the parameters of mechanism ", name_of(options.mechanism), " are ", known,
       "; got '", name, "'");
}

Tensor AttentionImpl::forward(const Neighborhood& neighborhood, const ProjectFeatures& project) const {
  const Tensor scores = mechanism().scores(*this, neighborhood, project);
  return options.gate == Gate::sigmoid ? ops::activation(scores, "sigmoid")
                                       : ops::segment_softmax(scores, neighborhood.offsets);
}

}  // namespace gsan
