#include "gsan/models/layer_view.h"

#include "gsan/core/check.h"
#include "gsan/models/backbones/network.h"

namespace gsan {

LayerView view_layer(Model& model, const ComplexOperators& operators, const Cochains& signals, int number,
                     const Tensor& tuples) {
  const auto* network = dynamic_cast<const NetworkImpl*>(&model->backbone());
  GSAN_CHECK(network != nullptr, "view_layer: ", model->spec().name,
             " is not made of simplicial layers; `gsan models` lists the models that are");
  const auto count = static_cast<int>(network->layers().size());
  GSAN_CHECK(number >= 1 && number <= count, "view_layer: the model has the layers 1 ... ", count, ", got ",
             number);
  const torch::NoGradGuard no_grad;
  const bool was_training = model->is_training();
  model->eval();
  ForwardContext context;
  context.diagnose = true;
  ModelOutput output;
  try {
    output = model->forward(operators, signals, context, tuples);
  } catch (...) {
    model->train(was_training);
    throw;
  }
  model->train(was_training);
  const auto l = static_cast<std::size_t>(number - 1);
  return {network->layers()[l], std::move(output.backbone.inputs[l])};
}

}  // namespace gsan
