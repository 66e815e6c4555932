#pragma once
// Labelled graphs of the TU collections as complexes with features. Every entry of the catalog in a folder
// tu/NAME is a source by itself.

#include <filesystem>
#include <string>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/data/formats/text/tu_text.h"
#include "gsan/data/opened_data.h"
#include "gsan/topology/limits.h"

namespace gsan {

enum class EdgeFeatures {
  mean_of_ends,
  own,  ///< one-hot labels, then attributes, of the data; the mean where an edge is listed several times
};

struct TuOptions {
  EdgeFeatures edge_features = EdgeFeatures::mean_of_ends;
  int max_order = 2;  ///< cliques of up to max_order + 1 nodes become simplices; at least 1
  Limits limits;      ///< of each complex, and of the features of all
};

/// Node features: labels one-hot (the values that occur, increasing), then attributes; a single 1 where
/// the data have neither. Features of larger simplices are the mean of their faces. Self loops are left
/// out. The classes are the graph labels that occur, increasing.
ComplexDataset tu_dataset(const TuText& text, const TuOptions& options = {});

ComplexDataset read_tu_dataset(const std::filesystem::path& folder, const TuOptions& options = {});

/// The keys of the section `data`.
struct TuSettings {
  int max_order = 2;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("max_order", self.max_order, "graphs: cliques of up to max_order + 1 nodes become simplices");
  }
  std::vector<std::string> faults() const;
};

/// Of a folder whose files have these sums, through the cache of transformed data.
OpenedData<ComplexDataset> open_tu(const std::filesystem::path& folder, const DataHashes& hashes,
                                   const TuSettings& settings);

}  // namespace gsan
