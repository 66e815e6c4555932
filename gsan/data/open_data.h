#pragma once
// From settings to data: a dataset of the catalog, a generated one, or a folder of the user's own; which
// there are says the registry of data/sources. What costs time to transform is kept in the cache under the
// SHA-256 of its sources and settings (data/transformed.h).

#include "gsan/data/data_settings.h"
#include "gsan/data/datasets.h"
#include "gsan/data/opened_data.h"

namespace gsan {

// Options that the source does not have, or that break its rules, are one error; so is a source without the
// kind of data, with the names that have it.

/// `signals`: how many of generated data, where the settings leave that open; others have what they have.
OpenedData<SignalDataset> open_signals(const DataSettings& settings, int signals);

/// `by_position`: the values as public programs use them where those join them wrongly, row i of the file for
/// simplex i of the complex, although the file has another order. Such values have no sources.
/// `order`: of the simplices that matter; a large complex is read up to their cofaces.
OpenedData<ValueDataset> open_values(const DataSettings& settings, bool by_position = false, int order = 0);

/// Values that are classes.
OpenedData<ValueDataset> open_classes(const DataSettings& settings);

/// Values that are asked, never given: a target is no input.
OpenedData<ValueDataset> open_targets(const DataSettings& settings);

OpenedData<ComplexDataset> open_complexes(const DataSettings& settings);

/// `order`: of the candidates. Where there are values only, the task makes candidates of them.
OpenedData<CandidateDataset> open_candidates(const DataSettings& settings, int order);

}  // namespace gsan
