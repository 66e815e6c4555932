#pragma once
// Drifters on a hexagonal grid, as the Julia program of the ocean data stores them (.jld2, an HDF5 file):
//   elist              [2, E] integers from 1 on: the edges
//   tlist              [3, T] integers from 1 on: the triangles
//   HexcentersXY       [N] pairs of floats: the place of each node
//   TrajectoriesNodes  [P] references, each to one path: references to single integers from 1 on, or
//                      the integers themselves

#include <array>
#include <filesystem>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// All nodes count from 0 and are below centres.size().
struct DrifterFile {
  std::vector<std::array<Vertex, 2>> edges;
  std::vector<std::array<Vertex, 3>> triangles;
  std::vector<std::array<double, 2>> centres;
  std::vector<std::vector<Vertex>> paths;  ///< as stored: with repeats and steps back
};

/// Errors name the file and the dataset. The file is read in a child process, since damaged ones crash the
/// HDF5 library; paths have no more steps than the file has bytes. Throws where the library was built without
/// HDF5.
DrifterFile read_drifters(const std::filesystem::path& path);

/// Whether read_drifters() is available in this build.
bool has_hdf5();

}  // namespace gsan
