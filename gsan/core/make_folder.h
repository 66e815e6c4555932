#pragma once
// A folder to write into.

#include <filesystem>

namespace gsan {

/// Makes the folder, and those above it, unless it is there. Fault::io with the path and the system's reason.
void make_folder(const std::filesystem::path& path);

}  // namespace gsan
