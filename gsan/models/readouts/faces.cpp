// nn/faces_readout.h behind a backbone.

#include <bit>

#include "gsan/models/readout_kinds.h"
#include "gsan/nn/faces_readout.h"

namespace gsan {
namespace {

AnyOptions start_options() {
  return {FacesReadoutOptions{}, {"order", "orders", "in_channels", "width", "out_channels"}};
}

std::shared_ptr<Readout> make(const AnyOptions& any, const ModelShape& shape, const Backbone& backbone,
                              const RandomStream& stream) {
  FacesReadoutOptions options = any.as<FacesReadoutOptions>();
  // 2^{k+1} − 2 faces
  const auto simplices = static_cast<unsigned>(shape.tuple_size) + 2;
  GSAN_CHECK(
      shape.tuple_size >= 2 && std::has_single_bit(simplices),
      "readout faces: a candidate of order k has 2^(k + 1) - 2 faces, got tuple_size = ", shape.tuple_size);
  options.order = std::bit_width(simplices) - 2;
  options.orders.clear();
  for (const int k : backbone.orders())
    if (k < options.order) options.orders.push_back(k);
  GSAN_CHECK(!options.orders.empty(), "readout faces: the model works on the orders ",
             options::to_text(backbone.orders()), ", of which none is below that of the candidates, ",
             options.order, "; choose another model");
  options.in_channels = backbone.in_channels();
  options.width = backbone.widths().back();
  options.out_channels = shape.out_channels;
  return std::make_shared<FacesReadoutImpl>(options, stream);
}

}  // namespace

extern const ReadoutKind faces_readout;
const ReadoutKind faces_readout{"faces",
                                "one vector per simplex from all of its faces",
                                true,
                                start_options,
                                [](const AnyOptions& any) { return any.as<FacesReadoutOptions>().faults(); },
                                make};

}  // namespace gsan
