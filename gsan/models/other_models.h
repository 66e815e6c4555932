#pragma once
// The models with weights beside the simplicial layer, by name.

#include <span>
#include <string_view>

namespace gsan {

struct OtherModel {
  std::string_view name;
  std::string_view equation;  ///< one line
  std::string_view citation;  ///< authors: title. Venue, year.
};

/// mpsn, gin, mlp
std::span<const OtherModel> other_models();

/// nullptr when there is none; '_' and '-' count as the same.
const OtherModel* find_other_model(std::string_view name);

}  // namespace gsan
