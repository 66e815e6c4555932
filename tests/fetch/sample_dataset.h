#pragma once
// A dataset of two small files, and archives of stored members made byte by byte.

#include <string>
#include <utility>
#include <vector>

#include "gsan/core/hash.h"
#include "gsan/data/fetch/catalog.h"

namespace gsan {

inline const std::string sample_contents[] = {"first file\n", std::string(1000, 'x')};

inline Dataset sample_dataset() {
  Dataset dataset{.name = "Sample",
                  .what = "two files",
                  .folder = "group/sample",
                  .terms = "free",
                  .citation = "nobody",
                  .files = {}};
  for (const auto& [path, content] :
       {std::pair{"a.txt", sample_contents[0]}, {"sub/b.txt", sample_contents[1]}})
    dataset.files.push_back({.path = path,
                             .sha256 = sha256_hex(content),
                             .size = content.size(),
                             .url = std::string("https://data.invalid/") + path});
  return dataset;
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// Members (name, content), stored.
inline std::string stored_zip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string archive, directory;
  for (const auto& [name, content] : members) {
    const std::string sizes = little_endian(content.size(), 4) + little_endian(content.size(), 4);
    const std::string common = std::string(12, '\0') + sizes + little_endian(name.size(), 2);
    const std::size_t header = archive.size();
    // version, flags, method, time, date, check sum; sizes; length of the name and of extra fields
    archive += "PK\3\4" + little_endian(20, 2) + common + std::string(2, '\0') + name + content;
    directory += "PK\1\2" + little_endian(20, 2) + little_endian(20, 2) + common + std::string(12, '\0') +
                 little_endian(header, 4) + name;
  }
  const std::string count = little_endian(members.size(), 2);
  return archive + directory + "PK\5\6" + std::string(4, '\0') + count + count +
         little_endian(directory.size(), 4) + little_endian(archive.size(), 4) + std::string(2, '\0');
}

}  // namespace gsan
