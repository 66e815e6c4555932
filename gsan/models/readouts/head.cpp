#include "gsan/models/readouts/head.h"

namespace gsan {

AnyOptions head_options() { return {HeadOptions(), {"order", "widths", "out_channels"}}; }

std::vector<std::string> head_faults(const AnyOptions& options) { return options.as<HeadOptions>().faults(); }

HeadOptions head_of(std::string_view who, const AnyOptions& options, const ModelShape& shape,
                    const Backbone& backbone) {
  HeadOptions head = options.as<HeadOptions>();
  head.order = read_order(who, shape, backbone);
  head.widths = backbone.widths();
  head.out_channels = shape.out_channels;
  return head;
}

}  // namespace gsan
