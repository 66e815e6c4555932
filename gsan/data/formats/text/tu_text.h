#pragma once
// Graph collections in the TU text format (https://chrsmrrs.github.io/datasets/docs/format/): one file
// NAME_what.txt per kind of information, one row per line, numbers separated by commas or blanks, nodes
// and graphs counted from 1.
//   _A, _graph_indicator, _graph_labels                                       must be there
//   _node_labels, _node_attributes, _edge_labels, _edge_attributes, _graph_attributes   may be

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gsan/data/formats/signal.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// Labels of nodes or edges: [rows, columns] integers; no columns where the data have none.
struct TuLabels {
  std::size_t columns = 0;
  std::vector<std::int64_t> values;
};

/// As the files list it, but counted from 0.
struct TuText {
  std::string name;
  std::vector<std::int64_t> graph_labels;   ///< [G], any integers
  std::vector<Index> node_graph;            ///< [N] the graph of each node
  std::vector<std::array<Index, 2>> edges;  ///< [E] rows of _A: both ends lie in one graph
  TuLabels node_labels, edge_labels;        ///< [N, …], [E, …]
  Signal node_attributes, edge_attributes;  ///< [N, …], [E, …]; no columns where there are none
  Signal graph_attributes;                  ///< [G, …]
};

/// What a file is called after its NAME ("_A", "_graph_labels", …) → its content.
using TuFiles = std::map<std::string, std::string>;

/// Errors name the file ("NAME_A.txt" below `folder`) and the line.
TuText parse_tu(const TuFiles& files, const std::string& name, const std::filesystem::path& folder = {});

/// Reads the one collection in the folder: NAME is that of the one file NAME_A.txt.
TuText read_tu(const std::filesystem::path& folder);

}  // namespace gsan
