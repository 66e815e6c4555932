#pragma once
// Text of a file or a user inside messages: what a terminal would obey is escaped.

#include <cstddef>
#include <string>
#include <string_view>

namespace gsan {

/// Bytes of the UTF-8 character that `text` begins with; 0 where its first bytes are not UTF-8. Not for empty
/// text.
std::size_t utf8_length(std::string_view text);

/// The first byte that does not belong to a UTF-8 character; npos in proper UTF-8.
std::size_t find_invalid_utf8(std::string_view text);

/// Control characters, but for line breaks, and bytes that are not UTF-8 as "\x1b"; the rest as it is.
std::string escaped(std::string_view text);

/// In quotes, control characters and line breaks escaped, long text cut.
std::string in_quotes(std::string_view text);

}  // namespace gsan
