#include "gsan/models/model.h"

#include <algorithm>

#include "gsan/nn/signals.h"

namespace gsan {
namespace {

constexpr const char* kind = "model";

}  // namespace

std::vector<int> ModelOptions::widths() const {
  switch (backbone) {
    case BackboneKind::layers: {
      std::vector<int> all;
      for (int l = 0; l < static_cast<int>(network.widths.size()); ++l)
        all.push_back(network.layer_options(l).output_channels());
      return all;
    }
    case BackboneKind::mpsn:
      return std::vector<int>(mpsn.n_layers, mpsn.hidden_channels);
    case BackboneKind::mlp:
      return std::vector<int>(mlp.n_layers, mlp.hidden_channels);
  }
  fail(Fault::argument, "ModelOptions: unknown backbone ", static_cast<int>(backbone));
}

ModelImpl::ModelImpl(ModelOptions options) : ModelImpl(std::move(options), stream_from_torch("model")) {}

ModelImpl::ModelImpl(ModelOptions options, const RandomStream& stream)
    : torch::nn::Module("Model"), options_(std::move(options)) {
  const RandomStream of_backbone = stream.substream("backbone"), of_readout = stream.substream("readout");
  switch (options_.backbone) {
    case BackboneKind::layers:
      network_ = register_module("network", Network(options_.network, of_backbone));
      break;
    case BackboneKind::mpsn:
      mpsn_ = register_module("mpsn", Mpsn(options_.mpsn, of_backbone));
      break;
    case BackboneKind::mlp:
      mlp_ = register_module("mlp", MlpBaseline(options_.mlp, of_backbone));
      break;
  }
  options_.pooled.widths = options_.head.widths = options_.widths();
  options_.flattened.width = options_.head.widths.empty() ? 0 : options_.head.widths.back();
  switch (options_.readout) {
    case ReadoutKind::none:
      break;
    case ReadoutKind::pooled:
      pooled_ = register_module("readout", PooledReadout(options_.pooled, of_readout));
      break;
    case ReadoutKind::simplex:
      simplex_ = register_module("readout", SimplexHead(options_.head, of_readout));
      break;
    case ReadoutKind::tuple:
      tuple_ = register_module("readout",
                               TupleHead(TupleHeadOptions{options_.head, options_.tuple_size}, of_readout));
      break;
    case ReadoutKind::flattened:
      flattened_ = register_module("readout", FlattenedReadout(options_.flattened, of_readout));
      break;
  }
}

void ModelImpl::reset_parameters(const RandomStream& stream) {
  const RandomStream of_backbone = stream.substream("backbone"), of_readout = stream.substream("readout");
  if (network_) network_->reset_parameters(of_backbone);
  if (mpsn_) mpsn_->reset_parameters(of_backbone);
  if (mlp_) mlp_->reset_parameters(of_backbone);
  if (pooled_) pooled_->reset_parameters(of_readout);
  if (simplex_) simplex_->reset_parameters(of_readout);
  if (tuple_) tuple_->reset_parameters(of_readout);
  if (flattened_) flattened_->reset_parameters(of_readout);
}

NetworkOutput ModelImpl::run_backbone(const ComplexOperators& operators, const Cochains& signals,
                                      const ForwardContext& context) {
  const std::vector<int>& channels = mpsn_  ? options_.mpsn.in_channels
                                     : mlp_ ? options_.mlp.in_channels
                                            : options_.network.in_channels;
  Cochains read(std::min(signals.size(), channels.size()));
  for (std::size_t k = 0; k < read.size(); ++k)
    if (channels[k] > 0) read[k] = signals[k];
  if (mpsn_) return {mpsn_->forward(operators, read)};
  if (mlp_) return {mlp_->forward(operators, read)};
  return network_->forward(operators, read, context);
}

ModelOutput ModelImpl::forward(const ComplexOperators& operators, const Cochains& signals,
                               const ForwardContext& context, const Tensor& tuples) {
  GSAN_CHECK(tuples.defined() == (options_.readout == ReadoutKind::tuple),
             "Model: readout = ", name_of(options_.readout),
             tuples.defined() ? " takes no tuples" : " needs tuples, got none");
  if (context.check_finite) check_finite("Model", signals);
  GSAN_CHECK(network_ || !context.return_attention_weights, "Model: backbone = ", name_of(options_.backbone),
             " has no attention weights to return");
  ModelOutput output{{}, run_backbone(operators, signals, context)};
  const std::vector<Cochains>& layers = output.backbone.layers;
  if (pooled_) output.values = pooled_->forward(operators, layers);
  if (simplex_) output.values = simplex_->forward(operators, layers);
  if (tuple_) output.values = tuple_->forward(operators, layers, tuples);
  if (flattened_) output.values = flattened_->forward(operators, layers);
  return output;
}

void ModelImpl::pretty_print(std::ostream& stream) const { stream << "Model(" << describe(options_) << ")"; }

std::int64_t ModelImpl::parameter_count() const {
  std::int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

void save_model(const std::filesystem::path& path, const Model& model) {
  save_weights(path, *model, kind, to_map(model->options()));
}

Model load_model(const std::filesystem::path& path, Verify verify) {
  return model_of(read_weights(path, verify), path.string());
}

Model model_of(const SafetensorsFile& file, const std::string& source) {
  const WeightOptions stored = weight_options(file.metadata, source);
  if (stored.kind != kind)
    fail(Fault::format, source, ": expected the weights of a ", kind, ", got those of a '", stored.kind, "'");
  Model model(from_map<ModelOptions>(stored.options, source), RandomStream(0, "loading"));
  for (const auto& [name, tensor] : file.tensors) {
    if (!tensor.is_floating_point()) continue;
    model->to(tensor.scalar_type());
    break;
  }
  load_weights(file, source, *model, kind, to_map(model->options()));
  return model;
}

void load_into(const std::filesystem::path& path, Model& model) {
  load_weights(path, *model, kind, to_map(model->options()));
}

}  // namespace gsan
