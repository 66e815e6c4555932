#pragma once
// Simplices with times as the collection of Benson, Abebe, Schaub, Jadbabaie and Kleinberg (2018) has them, a
// number a line:
//
//   PREFIX-nverts.txt      how many vertices each simplex has
//   PREFIX-simplices.txt   the vertices of all simplices, one simplex after the other
//   PREFIX-times.txt       when each simplex came; may be missing
//
// Each may be gzipped (….txt.gz).

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// Is it one of these files? By its name; without PREFIX-nverts.txt beside them the other two are not.
bool is_benson_file(const std::filesystem::path& path);

struct BensonFiles {
  std::filesystem::path counts, simplices;
  std::optional<std::filesystem::path> times;
};

/// By the path of one of the files, or of a folder with those of one dataset. Fault::io where one is missing,
/// Fault::format where there are two datasets, or a file both plain and gzipped.
BensonFiles find_benson(const std::filesystem::path& path);

/// Each simplex is listed once, where it comes first; its values are `count`, how often it comes, and `time`,
/// when it comes first. `read` gives the unpacked bytes of a file.
ComplexFile parse_benson(const BensonFiles& files,
                         const std::function<std::string(const std::filesystem::path&)>& read,
                         const ReadOptions& options = {});

}  // namespace gsan
