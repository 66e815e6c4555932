#include "gsan/models/padding.h"

#include "gsan/nn/batch_norm.h"

namespace gsan {

std::string why_not_padded(const ModelImpl& model) {
  if (model.spec().readout != "pooled")
    return concat("the readout ", model.spec().readout, " answers for simplices, not for complexes");
  for (const auto& module : model.backbone().modules())
    if (module->as<BatchNormImpl>() != nullptr)
      return "the model normalises over all simplices of a batch (batch_norm)";
  for (const SimplicialLayerOptions& layer : model.backbone().simplicial_layers())
    if (layer.harmonic == HarmonicKind::exact)
      return "the exact harmonic projector is made for every batch (harmonic=exact)";
  return {};
}

}  // namespace gsan
