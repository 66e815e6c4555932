#include "gsan/models/model.h"

#include <algorithm>
#include <ostream>

#include "gsan/models/inner_pass.h"
#include "gsan/models/model_kinds.h"
#include "gsan/models/readout_kinds.h"
#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"

namespace gsan {

ModelImpl::ModelImpl(ModelSpec spec, ModelShape shape)
    : ModelImpl(std::move(spec), std::move(shape), stream_from_torch("model")) {}

ModelImpl::ModelImpl(ModelSpec spec, ModelShape shape, const RandomStream& stream)
    : torch::nn::Module("Model"), spec_(std::move(spec)), shape_(std::move(shape)) {
  options::report(spec_.name, spec_.faults());
  backbone_ = register_module(
      "backbone", find_model(spec_.name).backbone->make(spec_, shape_, stream.substream("backbone")));
  if (spec_.standardize != Standardize::none)
    scaler_ = register_module(
        "inputs", InputScaler(backbone_->in_channels(), spec_.standardize == Standardize::standard));
  readout_ = find_readout(spec_.readout)
                 .make(spec_.readout_options, shape_, *backbone_, stream.substream("readout"));
  if (readout_) register_module("readout", readout_);
  if (!readout_ && shape_.out_channels > 0)
    GSAN_CHECK(backbone_->widths().back() == shape_.out_channels, spec_.name,
               ": without a readout the answer has the features of the last layer, ",
               backbone_->widths().back(), ", got out_channels = ", shape_.out_channels,
               "; set hidden_channels, or take a readout");
}

void ModelImpl::reset_parameters(const RandomStream& stream) {
  backbone_->reset_parameters(stream.substream("backbone"));
  if (readout_) readout_->reset_parameters(stream.substream("readout"));
}

void ModelImpl::fit_inputs(const std::function<void(const std::function<void(const Cochains&)>&)>& visit) {
  if (scaler_) scaler_->fit(visit);
}

ModelOutput ModelImpl::forward(const ComplexOperators& operators, const Cochains& signals,
                               const ForwardContext& context, const Tensor& tuples) {
  if (precision_ != Precision::bf16) return pass(operators, signals, context, tuples);
  ModelOutput output = [&] {
    const Autocast narrow(operators.device());
    return pass(operators, signals, context, tuples);
  }();
  const torch::ScalarType type = type_of(precision_);
  if (output.values.defined()) output.values = output.values.to(type);
  for (Tensor& x : output.backbone.layers.back())
    if (x.defined()) x = x.to(type);
  return output;
}

ModelOutput ModelImpl::pass(const ComplexOperators& operators, const Cochains& signals,
                            const ForwardContext& context, const Tensor& tuples) {
  GSAN_CHECK(tuples.defined() == find_readout(spec_.readout).takes_tuples, "Model: readout = ", spec_.readout,
             tuples.defined() ? " takes no tuples" : " needs tuples, got none");
  if (context.check_finite) check_finite("Model", signals);
  GSAN_CHECK(backbone_->has_attention() || !context.return_attention_weights, "Model: ", spec_.name,
             " has no attention weights to return");
  const std::vector<int>& channels = backbone_->in_channels();
  Cochains read(std::min(signals.size(), channels.size()));
  for (std::size_t k = 0; k < read.size(); ++k)
    if (channels[k] > 0) read[k] = signals[k];
  if (scaler_) read = scaler_->forward(read);
  ModelOutput output{{}, run_in_inner_order(*backbone_, operators, read, context)};
  if (!readout_) return output;
  std::vector<Cochains> layers;
  if (readout_->reads_input()) layers.push_back(read);
  layers.insert(layers.end(), output.backbone.layers.begin(), output.backbone.layers.end());
  output.values = readout_->read(operators, layers, tuples);
  return output;
}

void ModelImpl::pretty_print(std::ostream& stream) const {
  stream << "Model(" << spec_.name << ", readout=" << spec_.readout;
  for (const std::string& part :
       {spec_.backbone.describe(), spec_.readout_options.describe(), describe(shape_)})
    if (!part.empty()) stream << ", " << part;
  stream << ")";
}

std::int64_t ModelImpl::parameter_count() const {
  std::int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

void save_model(const std::filesystem::path& path, const Model& model) {
  save_weights(path, *model, model_kind_name, model->description());
}

Model load_model(const std::filesystem::path& path, Verify verify) {
  return model_of(read_weights(path, verify), path.string());
}

Model model_of(const SafetensorsFile& file, const std::string& source) {
  const WeightOptions stored = weight_options(file.metadata, source);
  if (stored.kind != model_kind_name)
    fail(Fault::format, source, ": expected the weights of a ", model_kind_name, ", got those of a '",
         stored.kind, "'");
  DescribedModel described = described_model(stored.options, source);
  Model model(std::move(described.spec), std::move(described.shape), RandomStream(0, "loading"));
  for (const auto& [name, tensor] : file.tensors) {
    if (!tensor.is_floating_point()) continue;
    model->to(tensor.scalar_type());
    break;
  }
  load_weights(file, source, *model, model_kind_name, model->description());
  return model;
}

void load_into(const std::filesystem::path& path, Model& model) {
  load_weights(path, *model, model_kind_name, model->description());
}

}  // namespace gsan
