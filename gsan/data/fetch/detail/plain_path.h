#pragma once
// Names from a catalog or an archive that become paths below a folder.

#include <string_view>

namespace gsan {

/// Parts between single '/', none of them empty, "." or ".."; no backslash and no control character. Such a
/// path cannot leave the folder that it is appended to.
constexpr bool is_plain_path(std::string_view path) {
  for (const char letter : path)
    if (letter == '\\' || static_cast<unsigned char>(letter) < 0x20) return false;
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace gsan
