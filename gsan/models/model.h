#pragma once
// A whole model: a backbone that filters the signals of a complex, and a readout.

#include <filesystem>

#include "gsan/models/mlp_baseline.h"
#include "gsan/models/mpsn.h"
#include "gsan/models/network.h"
#include "gsan/nn/flattened_readout.h"
#include "gsan/nn/pooled_readout.h"
#include "gsan/nn/simplex_head.h"
#include "gsan/nn/tuple_head.h"
#include "gsan/nn/weights.h"

namespace gsan {

enum class BackboneKind {
  layers,  ///< Network: every preset
  mpsn,    ///< message passing with MLP updates; GIN on vertices
  mlp,     ///< every simplex by itself
};
enum class ReadoutKind {
  none,       ///< the signals of the last layer
  pooled,     ///< one vector per complex
  simplex,    ///< one vector per simplex of an order
  tuple,      ///< one vector per tuple of simplices of an order
  flattened,  ///< one vector per signal on one complex of fixed size
};

template <>
struct EnumNames<BackboneKind> {
  static constexpr std::pair<BackboneKind, std::string_view> names[] = {
      {BackboneKind::layers, "layers"}, {BackboneKind::mpsn, "mpsn"}, {BackboneKind::mlp, "mlp"}};
};
template <>
struct EnumNames<ReadoutKind> {
  static constexpr std::pair<ReadoutKind, std::string_view> names[] = {{ReadoutKind::none, "none"},
                                                                       {ReadoutKind::pooled, "pooled"},
                                                                       {ReadoutKind::simplex, "simplex"},
                                                                       {ReadoutKind::tuple, "tuple"},
                                                                       {ReadoutKind::flattened, "flattened"}};
};

/// Only the options of the chosen backbone and readout count. The widths that a readout reads are those of
/// the backbone: the model sets them.
struct ModelOptions {
  BackboneKind backbone = BackboneKind::layers;
  NetworkOptions network;
  MpsnOptions mpsn;
  MlpBaselineOptions mlp;
  ReadoutKind readout = ReadoutKind::none;
  PooledReadoutOptions pooled;
  HeadOptions head;
  int tuple_size = 3;
  FlattenedReadoutOptions flattened;

  /// Features of every layer of the backbone.
  std::vector<int> widths() const;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("backbone", self.backbone);
    visit("network", self.network);
    visit("mpsn", self.mpsn);
    visit("mlp", self.mlp);
    visit("readout", self.readout);
    visit("pooled", self.pooled);
    visit("head", self.head);
    visit("tuple_size", self.tuple_size);
    visit("flattened", self.flattened);
  }
};

struct ModelOutput {
  Tensor values;  ///< of the readout; undefined without one
  NetworkOutput backbone;
};

class ModelImpl : public torch::nn::Module {
 public:
  explicit ModelImpl(ModelOptions options);  ///< first values governed by torch::manual_seed
  ModelImpl(ModelOptions options, const RandomStream& stream);

  /// Signals of orders for which the backbone has no channels are not read.
  /// `tuples` int64 [M, tuple_size], for the tuple readout only.
  ModelOutput forward(const ComplexOperators& operators, const Cochains& signals,
                      const ForwardContext& context = {}, const Tensor& tuples = {});
  void reset_parameters(const RandomStream& stream);
  void pretty_print(std::ostream& stream) const override;
  const ModelOptions& options() const { return options_; }
  std::int64_t parameter_count() const;

 private:
  NetworkOutput run_backbone(const ComplexOperators& operators, const Cochains& signals,
                             const ForwardContext& context);
  ModelOptions options_;
  Network network_{nullptr};
  Mpsn mpsn_{nullptr};
  MlpBaseline mlp_{nullptr};
  PooledReadout pooled_{nullptr};
  SimplexHead simplex_{nullptr};
  TupleHead tuple_{nullptr};
  FlattenedReadout flattened_{nullptr};
};
TORCH_MODULE(Model);

/// Weights and options in one safetensors file (nn/weights.h).
void save_model(const std::filesystem::path& path, const Model& model);

/// The model that the file describes, with its weights.
Model load_model(const std::filesystem::path& path, Verify verify = Verify::yes);
/// The same of a file that was read before; `source` names it in errors.
Model model_of(const SafetensorsFile& file, const std::string& source);

/// Into a model that exists: options, names, shapes and types must fit, or one error names every difference.
void load_into(const std::filesystem::path& path, Model& model);

}  // namespace gsan
