#include "gsan/models/readout_kinds.h"

#include <algorithm>

namespace gsan {

#define GSAN_READOUT(name) extern const ReadoutKind name##_readout;
#include "gsan/models/readouts.def"
#undef GSAN_READOUT

namespace {

const ReadoutKind* const table[] = {
#define GSAN_READOUT(name) &name##_readout,
#include "gsan/models/readouts.def"
#undef GSAN_READOUT
};

}  // namespace

std::vector<std::string> readout_names() {
  std::vector<std::string> names;
  for (const ReadoutKind* kind : table) names.emplace_back(kind->name);
  return names;
}

const ReadoutKind& find_readout(std::string_view name) {
  std::string all;
  for (const ReadoutKind* kind : table) {
    if (kind->name == name) return *kind;
    all += (all.empty() ? "" : ", ") + std::string(kind->name);
  }
  fail(Fault::argument, "readout must be one of ", all, "; got '", name, "'");
}

int read_order(std::string_view who, const ModelShape& shape, const Backbone& backbone) {
  const std::vector<int> orders = backbone.orders();
  if (shape.order < 0) {
    GSAN_CHECK(orders.size() == 1, who, ": the model works on the orders ", options::to_text(orders),
               ": say which one is read (order)");
    return orders.front();
  }
  GSAN_CHECK(std::find(orders.begin(), orders.end(), shape.order) != orders.end(), who,
             ": the readout reads order ", shape.order, ", but the model works on the orders ",
             options::to_text(orders), "; choose another order or another model");
  return shape.order;
}

}  // namespace gsan
