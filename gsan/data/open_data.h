#pragma once
// From settings to data: a dataset of the catalog, a generated one, or a folder of the user's own
// (data/own). What costs time to transform is kept in the cache under the SHA-256 of its sources and
// settings (data/transformed.h).

#include <string>
#include <utility>
#include <vector>

#include "gsan/data/data_settings.h"
#include "gsan/data/datasets.h"

namespace gsan {

/// Name or path of each file that was read → SHA-256 of its bytes; of generated data, of the settings.
using DataHashes = std::vector<std::pair<std::string, std::string>>;

template <class Dataset>
struct OpenedData {
  Dataset data;
  DataHashes hashes;
};

/// `signals`: how many of generated data; others have what they have.
OpenedData<SignalDataset> open_signals(const DataSettings& settings, int signals);

/// `by_position`: the citation values as public programs use them, row i of the file for simplex i of the
/// complex, although the file has another order. Such values have no sources.
/// `order`: of the simplices that matter; the citation complex is read with their cofaces.
OpenedData<ValueDataset> open_values(const DataSettings& settings, bool by_position = false, int order = 0);

/// Values that are classes.
OpenedData<ValueDataset> open_classes(const DataSettings& settings);

OpenedData<ComplexDataset> open_complexes(const DataSettings& settings);

/// Own data only; candidates of the citation complex are made of its values by the task.
OpenedData<CandidateDataset> open_candidates(const DataSettings& settings, int order);

}  // namespace gsan
