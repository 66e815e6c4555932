#pragma once
// OFF meshes as text: the word OFF (with C, N, ST before it for extra numbers per point,
// 4OFF for four coordinates, nOFF followed by their number), the counts of points, faces
// and edges, the points, then the faces as "n c1 … cn" and perhaps a colour.

#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// See MeshBuilder::build; labels count from 0. '#' begins a comment.
ComplexFile parse_off(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

/// Does it begin like an OFF file?
bool is_off(std::string_view bytes);

}  // namespace gsan
