#pragma once
// Wavefront OBJ meshes: points `v`, polygons `f` (corners "p", "p/t", "p//n", "p/t/n";
// negative numbers count back from the last point), lines `l`.

#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// See MeshBuilder::build; labels count from 1, as the file does. Each step of a line `l` is
/// an edge. Texture, normals, groups and materials are not read; an unknown keyword is an error.
ComplexFile parse_obj(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

}  // namespace gsan
