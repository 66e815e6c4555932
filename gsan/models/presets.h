#pragma once
// Published architectures as settings of one layer (nn/simplicial_layer): for each row of presets.def a
// function presets::NAME that returns the options of the model's layer; every option may be changed
// afterwards.

#include "gsan/nn/simplicial_layer_options.h"

namespace gsan {

struct PresetArguments {
  int in_channels = 1;
  int out_channels = 1;  ///< per head
  int order = 2;         ///< K of the complexes
  /// The order that a model for one kind of simplex works on; −1 = 0 for graph models, else 1. An error
  /// for models of all orders.
  int signal_order = -1;
  /// Length of the filter: J of the Dirac models, else the highest power; 0 = that of the publication. More
  /// than 1 is an error for models whose equation has one power.
  int length = 0;
  int heads = 1;
};

namespace presets {

#define GSAN_PRESET(function, python_class, equation, citation, ...) \
  SimplicialLayerOptions function(const PresetArguments& arguments);
#include "gsan/models/presets.def"

}  // namespace presets
}  // namespace gsan
