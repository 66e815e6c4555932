#pragma once
// The classes of a run, in the order of its outputs: classes.json of its folder.

#include <filesystem>
#include <string>
#include <vector>

namespace gsan {

/// ["left", "right"]; nothing is written for a task without classes.
void write_class_names(const std::filesystem::path& run, const std::vector<std::string>& names);

/// Empty where the run has none. Fault::format when the file is no list of texts.
std::vector<std::string> read_class_names(const std::filesystem::path& run);

}  // namespace gsan
