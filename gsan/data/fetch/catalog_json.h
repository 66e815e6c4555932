#pragma once
// Catalogs of users: their own datasets, described as `gsan data list --json` describes the public ones.

#include <filesystem>
#include <vector>

#include "gsan/data/fetch/catalog.h"

namespace gsan {

/// An object with `datasets`, each with name, folder and files (path, sha256, size, url, and member where the
/// address is an archive); what, terms and citation may be left out, other keys are not looked at.
/// Fault::format names the file and the fault.
std::vector<Dataset> read_catalog(const std::filesystem::path& path);

}  // namespace gsan
