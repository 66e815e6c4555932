#pragma once
// Catalogs as JSON: the public one (catalog.json) and those of users, in the same format, which is also that
// of `gsan data list --json`.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/fetch/catalog.h"

namespace gsan {

/// An object with `datasets`, each with name, folder and files (path, sha256, size, url, and member where the
/// address is an archive); what, terms and citation may be left out, other keys are not looked at.
/// Fault::format names the file, or `source`, and the fault.
std::vector<Dataset> parse_catalog(std::string_view text, const std::string& source);
std::vector<Dataset> read_catalog(const std::filesystem::path& path);

}  // namespace gsan
