// Files of public datasets: TU collections (the files cut at the byte 0xFF, in a fixed order) and drifters in
// HDF5.

#include "gsan/data/formats/arrays/drifters.h"
#include "gsan/data/formats/text/tu_text.h"

#include "target.h"

namespace gsan::fuzz {

FUZZ_TARGET(tu) {
  TuFiles files;
  for (const char* name : {"_A", "_graph_indicator", "_graph_labels", "_node_labels", "_node_attributes",
                           "_edge_labels", "_edge_attributes", "_graph_attributes"}) {
    files.emplace(name, next_part(bytes));
    if (bytes.empty()) break;
  }
  expect_error_or_result([&] {
    const TuText text = parse_tu(files, "F");
    for (const auto& edge : text.edges)
      for (const Index node : edge)
        MUST(node >= 0 && static_cast<std::size_t>(node) < text.node_graph.size());
    MUST(text.node_labels.columns == 0 ||
         text.node_labels.values.size() == text.node_labels.columns * text.node_graph.size());
  });
}

FUZZ_TARGET(drifters) {
  if (!has_hdf5()) return;
  const std::string path = input_file(bytes);
  expect_error_or_result([&] {
    const DrifterFile drifters = read_drifters(path);
    for (const auto& nodes : drifters.paths)
      for (const Vertex node : nodes)
        MUST(node >= 0 && static_cast<std::size_t>(node) < drifters.centres.size());
  });
}

}  // namespace gsan::fuzz
