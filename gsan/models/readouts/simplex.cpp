// nn/simplex_head.h behind a backbone.

#include "gsan/models/readout_kinds.h"
#include "gsan/models/readouts/head.h"
#include "gsan/nn/simplex_head.h"

namespace gsan {
namespace {

std::shared_ptr<Readout> make(const AnyOptions& any, const ModelShape& shape, const Backbone& backbone,
                              const RandomStream& stream) {
  return std::make_shared<SimplexHeadImpl>(head_of("readout simplex", any, shape, backbone), stream);
}

}  // namespace

extern const ReadoutKind simplex_readout;
const ReadoutKind simplex_readout{
    "simplex", "one vector per simplex of one order", false, head_options, head_faults, make};

}  // namespace gsan
