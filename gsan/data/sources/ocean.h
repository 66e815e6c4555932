#pragma once
// Ocean drifters around Madagascar: which way round does a drifter go?

#include <filesystem>
#include <string_view>

#include "gsan/data/datasets.h"
#include "gsan/data/formats/arrays/drifters.h"

namespace gsan {

/// One signal on the edges per path: how often it runs along each edge, net. Of the stored paths,
/// immediate steps back are stripped (a, b, a → a), those of at least 5 nodes are kept, and a last node
/// that equals the first is dropped. Label: 0 if (centre, first, last) turns clockwise, 1 if the other
/// way; the centre is the mean of all nodes, moved by −0.03 in x.
/// `source` begins the messages of errors.
SignalDataset ocean_dataset(const DrifterFile& drifters, std::string_view source = "ocean drifters");

/// The same of a file dataBuoys.jld2: 200 signals on 133 nodes, 320 edges and 186 triangles.
SignalDataset read_ocean(const std::filesystem::path& file);

}  // namespace gsan
