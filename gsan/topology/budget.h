#pragma once
// The two checks by which a lift keeps within its Limits. Counts and bytes come as
// double: the faces of one large simplex alone pass 2^64.

#include <string_view>

#include "gsan/topology/limits.h"

namespace gsan {

/// Throws Fault::resource when `count` simplices, found or bounded from below so far,
/// are more than limits.max_simplices. `what` completes "… simplices …".
void check_simplices(const Limits& limits, std::string_view who, double count, std::string_view what);

/// Throws Fault::resource when `bytes` for `what` are more than limits.max_memory.
void check_memory(const Limits& limits, std::string_view who, double bytes, std::string_view what);

}  // namespace gsan
