#pragma once
// What the complex alone says of a simplex, as an input: how many larger simplices contain it.

#include <string_view>

#include "gsan/core/options.h"
#include "gsan/hodge/degrees.h"

namespace gsan {

/// Which orders get structural features (hodge/degrees.h).
enum class StructureChoice { none, missing, all };
template <>
struct EnumNames<StructureChoice> {
  static constexpr std::pair<StructureChoice, std::string_view> names[] = {
      {StructureChoice::none, "none"}, {StructureChoice::missing, "missing"}, {StructureChoice::all, "all"}};
};

inline constexpr const char* structure_help =
    "numbers of larger simplices around a simplex as its features: of orders without features (missing), "
    "beside the features of every order (all), or not (none: orders without features carry 1)";

/// How many columns the structure adds to the features of order k.
int structure_width(StructureChoice choice, bool has_features, int k, int top);

/// What simplices of order k carry: their features (undefined: none), those of the structure beside them or
/// in their place, 1 where there is nothing. float64 [N_k, F]; top: the largest order that is counted.
Tensor with_structure(StructureChoice choice, const Tensor& features, const ComplexOperators& operators,
                      int k, int top);

}  // namespace gsan
