#pragma once
// Many complexes of the user with names: a sub-folder each, or rows of common tables.

#include <string>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/data/formats/listed_complex.h"
#include "gsan/data/own/own_folder.h"

namespace gsan {

struct NamedComplex {
  std::string name;
  ListedComplex listed;
  Cochains features;   ///< per order float64 [N_k, F]; undefined where none are given
  std::string source;  ///< begins messages
};

/// Every sub-folder, by increasing names, with its complex.* and features_K. Its sums are added to those of
/// the folder.
std::vector<NamedComplex> read_sub_folders(OwnFolder& folder);

/// complexes.csv or complexes.txt: the name of a complex, then the vertices of one of its simplices, a row
/// each; rows may have different lengths, a header begins with `complex`. features_K.csv has `complex` as its
/// first column, then what it has in a sub-folder. By increasing names.
std::vector<NamedComplex> read_complex_rows(OwnFolder& folder, const std::string& file);

}  // namespace gsan
