// nn/flattened_readout.h behind a backbone.

#include "gsan/models/readout_kinds.h"
#include "gsan/nn/flattened_readout.h"

namespace gsan {
namespace {

std::shared_ptr<Readout> make(const AnyOptions&, const ModelShape& shape, const Backbone& backbone,
                              const RandomStream& stream) {
  FlattenedReadoutOptions options;
  options.order = read_order("readout flattened", shape, backbone);
  options.simplices = shape.simplices;
  options.width = backbone.widths().back();
  options.out_channels = shape.out_channels;
  return std::make_shared<FlattenedReadoutImpl>(options, stream);
}

}  // namespace

extern const ReadoutKind flattened_readout;
const ReadoutKind flattened_readout{"flattened",
                                    "one vector per signal on one complex of fixed size",
                                    false,
                                    [] { return AnyOptions(); },
                                    [](const AnyOptions&) { return std::vector<std::string>(); },
                                    make};

}  // namespace gsan
