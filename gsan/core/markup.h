#pragma once
// Text in XML and HTML.

#include <cstddef>
#include <string>
#include <string_view>

namespace gsan {

/// Text for the inside of an element or of a quoted attribute: & < > " ' become entities; control characters
/// and bytes that are not UTF-8 become U+FFFD, so that any label gives a well-formed document.
std::string escape_markup(std::string_view text);

/// The first `limit` characters of a text in UTF-8, and "…" where there were more.
std::string shortened(std::string_view text, std::size_t limit);

/// The same with "…" in its middle: texts that begin alike stay apart by their ends.
std::string shortened_inside(std::string_view text, std::size_t limit);

}  // namespace gsan
