#pragma once
// Transformed data in the cache: cache_root()/transformed/KEY, where KEY is the SHA-256 of the format's
// version, the kind of data, the settings and the names (without folders) and sums of the source files. So an
// entry is never out of date; an old one is merely not asked for any more, and the whole folder may be
// deleted at any time.
//
// A file is written under a temporary name and renamed, and ends with the SHA-256 of its content: one that is
// cut or damaged is made again. A cache that cannot be written is no error. GSAN_NO_CACHE=1 switches it off.

#include <functional>
#include <optional>
#include <string>

#include "gsan/data/archive.h"
#include "gsan/data/opened_data.h"

namespace gsan {

/// 64 hexadecimal digits.
std::string transformed_key(const std::string& kind, const std::string& settings, const DataHashes& sources);

/// The content of an entry, if it is there and whole.
std::optional<std::string> read_transformed(const std::string& key);
/// Says whether it could be written.
bool write_transformed(const std::string& key, std::string content);

/// The entry of the cache, else what `make` makes, which becomes the entry.
template <class Data>
Data transformed(const std::string& kind, const std::string& settings, const DataHashes& sources,
                 const std::function<Data()>& make) {
  const std::string key = transformed_key(kind, settings, sources);
  if (const auto content = read_transformed(key)) {
    try {
      Data data;
      ArchiveReader archive(*content);
      read(archive, data);
      archive.expect_end();
      return data;
    } catch (const Error&) {  // written by something else under the same name: made again
    }
  }
  Data data = make();
  ArchiveWriter archive;
  write(archive, data);
  write_transformed(key, archive.take());
  return data;
}

}  // namespace gsan
