#pragma once
// Every readout by its name. To add one: a module (nn/readout.h), a file in models/readouts/ and a line in
// readouts.def.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/models/backbone.h"
#include "gsan/models/model_spec.h"
#include "gsan/nn/readout.h"

namespace gsan {

struct ReadoutKind {
  std::string_view name;
  std::string_view sentence;  ///< what it gives
  bool takes_tuples;
  AnyOptions (*options)();
  std::vector<std::string> (*faults)(const AnyOptions& options);
  /// nullptr: the answer is what the last layer gives.
  std::shared_ptr<Readout> (*make)(const AnyOptions& options, const ModelShape& shape,
                                   const Backbone& backbone, const RandomStream& stream);
};

std::vector<std::string> readout_names();

/// An error lists all names for an unknown one.
const ReadoutKind& find_readout(std::string_view name);

/// shape.order, or the only order of the backbone; an error of `who` unless the backbone works on it.
int read_order(std::string_view who, const ModelShape& shape, const Backbone& backbone);

}  // namespace gsan
