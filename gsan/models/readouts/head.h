#pragma once
// What the readouts on simplices of one order share: the options of nn/head_options.h.

#include "gsan/models/readout_kinds.h"
#include "gsan/nn/head_options.h"

namespace gsan {

AnyOptions head_options();
std::vector<std::string> head_faults(const AnyOptions& options);

/// With what the shape and the backbone determine.
HeadOptions head_of(std::string_view who, const AnyOptions& options, const ModelShape& shape,
                    const Backbone& backbone);

}  // namespace gsan
