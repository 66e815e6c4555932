// nn/tuple_head.h behind a backbone.

#include "gsan/models/readout_kinds.h"
#include "gsan/models/readouts/head.h"
#include "gsan/nn/tuple_head.h"

namespace gsan {
namespace {

std::shared_ptr<Readout> make(const AnyOptions& any, const ModelShape& shape, const Backbone& backbone,
                              const RandomStream& stream) {
  return std::make_shared<TupleHeadImpl>(
      TupleHeadOptions{head_of("readout tuple", any, shape, backbone), shape.tuple_size}, stream);
}

}  // namespace

extern const ReadoutKind tuple_readout;
const ReadoutKind tuple_readout{
    "tuple", "one vector per tuple of simplices of one order", true, head_options, head_faults, make};

}  // namespace gsan
