#pragma once
// Several pictures as one.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gsan {

struct PictureSize {
  double width = 0, height = 0;
};

/// Of a picture of this room, as its first element says.
PictureSize picture_size(std::string_view svg);

/// The pictures row by row in `columns` columns under a common title (none where it is empty). Each is a
/// nested <svg>; the style is kept once. Errors: no pictures, no columns, a text that is not a picture of
/// this room.
std::string panels(std::span<const std::string> pictures, std::size_t columns, std::string_view title);

}  // namespace gsan
