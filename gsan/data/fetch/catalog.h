#pragma once
// The public datasets: what they are, where the public gets them, and how to recognise their files. They are
// listed in catalog.json beside this file, which CMake compiles into the library.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gsan {

struct DatasetFile {
  std::string path;      ///< below the folder of the dataset
  std::string sha256;    ///< of the file itself, 64 lower-case digits
  std::uint64_t size;    ///< bytes of the file itself
  std::string url;       ///< public https address of the file, or of the ZIP archive that holds it
  std::string member{};  ///< name in that archive; empty: the address is the file
};

struct Dataset {
  std::string name;
  std::string what;      ///< one line
  std::string folder;    ///< below the data folder of the cache
  std::string terms;     ///< licence or terms of use
  std::string citation;  ///< what to cite
  std::vector<DatasetFile> files;

  std::uint64_t size() const;  ///< bytes of all files
  /// Plain paths, https addresses, sums of 64 digits, no file twice: Fault::format otherwise.
  void validate() const;
};

const std::vector<Dataset>& catalog();

/// By name, upper or lower case; an unknown one is answered with the nearest.
const Dataset& find_dataset(std::string_view name, std::span<const Dataset> datasets = catalog());

/// Those of these names, each once; an unknown one is an error before anything is done.
std::vector<Dataset> find_datasets(std::span<const std::string> names,
                                   std::span<const Dataset> datasets = catalog());

}  // namespace gsan
