#pragma once
// The user's own data, one reader per kind of dataset. docs/own-data.md describes the folders; every error
// says the file, where in it, and what to do.

#include "gsan/data/datasets.h"
#include "gsan/data/own/own_folder.h"

namespace gsan {

/// complex.*, signals.csv | signals.npy | paths.csv | paths.txt, labels.csv (may be missing: all unknown).
SignalDataset read_own_signals(OwnFolder& folder);

/// complex.* (or what the tables name), values_K.csv | .npy of one or more orders, features_K.
ValueDataset read_own_values(OwnFolder& folder);

/// The same with classes_K.csv. Without features_K of any order every simplex carries 1.
ValueDataset read_own_classes(OwnFolder& folder);

/// The same with targets_K.csv | .npy: numbers that are asked, never given. Where complex.* is there, a
/// folder may have none.
ValueDataset read_own_targets(OwnFolder& folder);

/// A sub-folder with complex.* and features_K per complex, or complexes.csv | .txt and features_K.csv of all
/// (own/named_complexes.h); labels.csv (name,label; may be missing). Orders without features: 1 on vertices,
/// the mean of the faces on others.
ComplexDataset read_own_complexes(OwnFolder& folder);

/// Is it a folder in the TU text format (NAME_A.txt)?
bool is_tu_folder(const std::filesystem::path& folder);

/// complex.*, candidates.csv, features_K of orders below `order`.
CandidateDataset read_own_candidates(OwnFolder& folder, int order);

}  // namespace gsan
