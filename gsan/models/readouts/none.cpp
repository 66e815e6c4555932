// No readout: the answer is what the last layer gives, per order.

#include "gsan/models/readout_kinds.h"

namespace gsan {

extern const ReadoutKind no_readout;
const ReadoutKind no_readout{"none",
                             "the signals of the last layer",
                             false,
                             [] { return AnyOptions(); },
                             [](const AnyOptions&) { return std::vector<std::string>(); },
                             [](const AnyOptions&, const ModelShape&, const Backbone&, const RandomStream&) {
                               return std::shared_ptr<Readout>();
                             }};

}  // namespace gsan
