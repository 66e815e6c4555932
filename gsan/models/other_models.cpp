#include "gsan/models/other_models.h"

#include <algorithm>
#include <string>

namespace gsan {
namespace {

constexpr OtherModel table[] = {
    {"mpsn", "y_i = s(norm([MLP((1+e) x_i + sum upper messages) | MLP((1+e) x_i + sum faces)] W + w))",
     "Bodnar, Frasca, Wang, Otter, Montufar, Lio, Bronstein: Weisfeiler and Lehman go topological: message "
     "passing simplicial networks. ICML, 2021."},
    {"gin", "y_i = MLP((1+e) z_i + sum_j z_j), vertices",
     "Xu, Hu, Leskovec, Jegelka: How powerful are graph neural networks? ICLR, 2019."},
    {"mlp", "y_i = s(z_i W + b), every simplex by itself",
     "Rumelhart, Hinton, Williams: Learning representations by back-propagating errors. Nature, 1986."},
};

}  // namespace

std::span<const OtherModel> other_models() { return table; }

const OtherModel* find_other_model(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (const OtherModel& model : table)
    if (model.name == wanted) return &model;
  return nullptr;
}

}  // namespace gsan
