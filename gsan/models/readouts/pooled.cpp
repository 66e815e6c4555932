// nn/pooled_readout.h behind a backbone.

#include <algorithm>

#include "gsan/models/readout_kinds.h"
#include "gsan/nn/pooled_readout.h"

namespace gsan {
namespace {

AnyOptions start_options() {
  PooledReadoutOptions options;
  options.orders.clear();  // all orders of the backbone
  return {options, {"widths", "orders", "in_channels", "out_channels"}};
}

PooledReadoutOptions completed(const AnyOptions& any, int out_channels, const std::vector<int>& widths,
                               const std::vector<int>& orders) {
  PooledReadoutOptions options = any.as<PooledReadoutOptions>();
  options.out_channels = out_channels;
  options.widths = widths;
  if (options.orders.empty()) options.orders = orders;
  for (const int k : options.orders)
    GSAN_CHECK(std::find(orders.begin(), orders.end(), k) != orders.end(),
               "readout pooled: the readout reads order ", k, ", but the model works on the orders ",
               options::to_text(orders), "; choose another order or another model");
  return options;
}

std::shared_ptr<Readout> make(const AnyOptions& any, const ModelShape& shape, const Backbone& backbone,
                              const RandomStream& stream) {
  PooledReadoutOptions options = completed(any, shape.out_channels, backbone.widths(), backbone.orders());
  options.in_channels = backbone.in_channels();
  return std::make_shared<PooledReadoutImpl>(options, stream);
}

}  // namespace

extern const ReadoutKind pooled_readout;
const ReadoutKind pooled_readout{"pooled",
                                 "one vector per complex",
                                 false,
                                 start_options,
                                 [](const AnyOptions& any) {
                                   std::vector<int> orders = any.as<PooledReadoutOptions>().orders;
                                   if (orders.empty()) orders = {0};
                                   return completed(any, 1, {1}, orders).faults();
                                 },
                                 make};

}  // namespace gsan
