#include "gsan/models/model_kinds.h"

#include <algorithm>
#include <numeric>

#include "gsan/core/nearest.h"
#include "gsan/models/registry.h"

namespace gsan {

// models/backbones/NAME.cpp
extern const BackboneKind layers_backbone, mpsn_backbone, gin_backbone, mlp_backbone;

namespace {

const ModelKind beside_the_layer[] = {
    {"mpsn", "MPSN",
     "y_i = s(norm([MLP((1+e) x_i + sum upper messages) | MLP((1+e) x_i + sum faces)] W + w))",
     "Bodnar, Frasca, Wang, Otter, Montufar, Lio, Bronstein: Weisfeiler and Lehman go topological: message "
     "passing simplicial networks. ICML, 2021.",
     &mpsn_backbone},
    {"gin", "GIN", "y_i = MLP((1+e) z_i + sum_j z_j), vertices",
     "Xu, Hu, Leskovec, Jegelka: How powerful are graph neural networks? ICLR, 2019.", &gin_backbone},
    {"mlp", "MLP", "y_i = s(z_i W + b), every simplex by itself",
     "Rumelhart, Hinton, Williams: Learning representations by back-propagating errors. Nature, 1986.",
     &mlp_backbone},
};

std::vector<ModelKind> all_kinds() {
  std::vector<ModelKind> all;
  for (const Preset& preset : all_presets())
    all.push_back({std::string(preset.name), preset.python_class, preset.equation, preset.citation,
                   &layers_backbone});
  all.insert(all.end(), std::begin(beside_the_layer), std::end(beside_the_layer));
  return all;
}

}  // namespace

const std::vector<ModelKind>& model_kinds() {
  static const std::vector<ModelKind> all = all_kinds();
  return all;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelKind& kind : model_kinds()) names.push_back(kind.name);
  return names;
}

const ModelKind& find_model(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (const ModelKind& kind : model_kinds())
    if (kind.name == wanted) return kind;
  fail(Fault::argument, "unknown model '", name, "'; did you mean '", nearest_word(wanted, model_names()),
       "'? `gsan models` lists all of them");
}

std::vector<int> all_orders(const AnyOptions&, int K) {
  std::vector<int> orders(static_cast<std::size_t>(K) + 1);
  std::iota(orders.begin(), orders.end(), 0);
  return orders;
}

ReadInput read_input(std::string_view who, const ModelShape& shape, const std::vector<int>& orders) {
  ReadInput read{std::vector<int>(shape.in_channels.size(), 0)};
  for (const int k : orders)
    if (k < static_cast<int>(read.widths.size())) read.widths[k] = shape.in_channels[k];
  if (!read.widths.empty()) read.width = *std::max_element(read.widths.begin(), read.widths.end());
  GSAN_CHECK(read.width > 0, who, ": the input has the widths ", options::to_text(shape.in_channels),
             " on the orders 0 ... ", static_cast<int>(shape.in_channels.size()) - 1,
             ", but the model works on the orders ", options::to_text(orders),
             " only; choose other orders or another model");
  read.is_even = std::all_of(read.widths.begin(), read.widths.end(),
                             [&](int width) { return width == 0 || width == read.width; });
  return read;
}

}  // namespace gsan
