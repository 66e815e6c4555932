#pragma once
// PLY meshes, ascii and binary of either byte order.

#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// Element `vertex` with x, y and perhaps z, element `face` with the list vertex_indices or
/// vertex_index, element `edge` with vertex1 and vertex2; other elements and properties are
/// passed over. See MeshBuilder::build; labels count from 0.
ComplexFile parse_ply(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

}  // namespace gsan
