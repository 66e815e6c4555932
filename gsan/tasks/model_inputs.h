#pragma once
// What a task determines of a model, for every backbone.

#include <string_view>
#include <vector>

#include "gsan/models/model.h"

namespace gsan {

/// Sets the order of the complexes and the width of the input of each order 0 … K (0: it carries none; models
/// that need one are given zeros). Inputs of different widths get maps to one width, unless the options have
/// them already. An error of `task` where no order that the model works on carries an input.
void set_inputs(ModelOptions& options, std::string_view task, const std::vector<int>& widths);

/// The orders whose signals the backbone gives to a readout; after set_inputs.
std::vector<int> read_orders(const ModelOptions& options);

/// An error of `task` unless the readout can read order k.
void require_read(const ModelOptions& options, std::string_view task, int k);

}  // namespace gsan
