#pragma once
// JSON of a file: how deep it may be nested, and what its parser's errors say to a user.

#include <string>
#include <string_view>

namespace gsan {

/// The same text, checked: Fault::format where brackets are nested deeper than 64. Values that are nested
/// without a limit overflow the stack of what prints or visits them.
std::string_view checked_json(std::string_view text, std::string_view source);

/// The message of an exception of nlohmann's library without the name of the exception, and without control
/// characters.
std::string json_reason(std::string_view what);

}  // namespace gsan
