#pragma once
// A model as people ask for it: the section `model` of a config. Which keys there are depends on the model
// and on the readout that the task needs:
//
//   a preset        name, length, hidden_channels, n_layers, widths, embedding_channels, activate_last, and
//                   every option of its layer
//   mpsn, gin, mlp  name, hidden_channels, n_layers and their own options
//   readout.*       the options of the readout

#include <string>
#include <vector>

#include "gsan/core/config.h"
#include "gsan/models/model.h"

namespace gsan {

struct ModelSettings {
  std::string name = "gsan";
  BackboneKind backbone = BackboneKind::layers;
  int length = 0;            ///< of the preset's filter; 0 = that of the publication
  int hidden_channels = 32;  ///< of a layer, all heads together
  int n_layers = 2;
  std::vector<int> widths{};  ///< of the layers, all heads together; empty = hidden_channels n_layers times
  int embedding_channels = 0;
  bool activate_last = true;
  SimplicialLayerOptions layer{};
  MpsnOptions mpsn{};
  MlpBaselineOptions mlp{};
  ReadoutKind readout = ReadoutKind::pooled;
  PooledReadoutOptions pooled{};
  HeadOptions head{};

  /// Of what can be judged without the complex, by the names of the keys without "model.".
  std::vector<std::string> faults() const;

  /// What Task::complete() completes.
  ModelOptions options() const;
};

/// Every model that can be trained: the presets, then mpsn, gin, mlp.
std::vector<std::string> model_names();

/// The options of the publication. `signal_order`: the order that a model of one order works on, −1 = that of
/// the publication; models of all orders do not use it.
ModelSettings standard_model(const std::string& name, int length, int signal_order, ReadoutKind readout);

/// The keys of this model and readout, with these values.
void add_model_keys(ConfigSchema& schema, const ModelSettings& defaults);

/// `start`, which says the model and the readout, with the values of the keys.
ModelSettings take_model(const Config& config, ModelSettings start);

}  // namespace gsan
