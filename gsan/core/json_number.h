#pragma once
// A whole number of a JSON file. The library that parses JSON turns 1e300 into an integer without a word,
// which C++ leaves undefined; here a number that its field cannot hold is refused.

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {

/// `value` as an Integer: Fault::format, with the `source` and the `name` of the field, where it is no whole
/// number or out of the type's range.
template <std::integral Integer, typename Json>
Integer whole_number(const Json& value, std::string_view source, std::string_view name) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.template get<std::uint64_t>(); std::in_range<Integer>(number))
      return static_cast<Integer>(number);
  } else if (value.is_number_integer()) {
    if (const auto number = value.template get<std::int64_t>(); std::in_range<Integer>(number))
      return static_cast<Integer>(number);
  }
  fail(Fault::format, source, ": ", name, " must be a whole number from ",
       std::numeric_limits<Integer>::min(), " to ", std::numeric_limits<Integer>::max(), ", got ",
       value.is_number() ? value.dump() : std::string(value.type_name()));
}

/// The same of an object's field, or `otherwise` where the object does not have it.
template <std::integral Integer, typename Json>
Integer whole_number_or(const Json& object, const char* name, Integer otherwise, std::string_view source) {
  const auto found = object.find(name);
  return found == object.end() ? otherwise : whole_number<Integer>(*found, source, name);
}

}  // namespace gsan
