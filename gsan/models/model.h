#pragma once
// A whole model: a backbone that filters the signals of a complex, and a readout.

#include <filesystem>

#include "gsan/models/backbone.h"
#include "gsan/models/model_spec.h"
#include "gsan/models/precision.h"
#include "gsan/nn/input_scaler.h"
#include "gsan/nn/readout.h"
#include "gsan/nn/weights.h"

namespace gsan {

struct ModelOutput {
  Tensor values;  ///< of the readout; undefined without one
  BackboneOutput backbone;
};

class ModelImpl : public torch::nn::Module {
 public:
  ModelImpl(ModelSpec spec, ModelShape shape);  ///< first values governed by torch::manual_seed
  ModelImpl(ModelSpec spec, ModelShape shape, const RandomStream& stream);

  /// Signals of orders for which the backbone has no channels are not read. The backbone may compute in
  /// another order of the simplices (inner_pass.h); everything that is returned has the order of `operators`.
  /// `tuples` int64 [M, tuple_size], for the tuple readout only.
  ModelOutput forward(const ComplexOperators& operators, const Cochains& signals,
                      const ForwardContext& context = {}, const Tensor& tuples = {});
  void reset_parameters(const RandomStream& stream);

  /// Measures what spec().standardize needs (nn/input_scaler.h); nothing where it is none. `visit` hands
  /// every batch of training inputs to its argument.
  void fit_inputs(const std::function<void(const std::function<void(const Cochains&)>&)>& visit);
  void pretty_print(std::ostream& stream) const override;

  /// How forward() computes, for whoever calls it: bf16 does not change the weights, the others are the type
  /// that they have. What it answers has the type of the weights.
  void set_precision(Precision precision) { precision_ = precision; }

  const ModelSpec& spec() const { return spec_; }
  const ModelShape& shape() const { return shape_; }
  const Backbone& backbone() const { return *backbone_; }
  OptionMap description() const { return to_map(spec_, shape_); }
  std::int64_t parameter_count() const;

 private:
  ModelOutput pass(const ComplexOperators& operators, const Cochains& signals, const ForwardContext& context,
                   const Tensor& tuples);
  ModelSpec spec_;
  ModelShape shape_;
  Precision precision_ = Precision::float32;
  InputScaler scaler_{nullptr};  // null: inputs are taken as they are
  std::shared_ptr<Backbone> backbone_;
  std::shared_ptr<Readout> readout_;  // nullptr: none
};
TORCH_MODULE(Model);

/// The word for models in weights files (nn/weights.h).
inline constexpr const char* model_kind_name = "model";

/// Weights, spec and shape in one safetensors file.
void save_model(const std::filesystem::path& path, const Model& model);

/// The model that the file describes, with its weights.
Model load_model(const std::filesystem::path& path, Verify verify = Verify::yes);
/// The same of a file that was read before; `source` names it in errors.
Model model_of(const SafetensorsFile& file, const std::string& source);

/// Into a model that exists: options, names, shapes and types must fit, or one error names every difference.
void load_into(const std::filesystem::path& path, Model& model);

}  // namespace gsan
