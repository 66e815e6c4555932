#pragma once
// How random streams came from one another: what is repeated with another first stream derives the same
// streams of that one.

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gsan/core/random.h"

namespace gsan {

/// The names and indices of RandomStream::substream() on the way from one stream to another.
using StreamPath = std::vector<std::variant<std::uint64_t, std::string>>;

/// The stream at the end of the path.
RandomStream follow(const RandomStream& first, const StreamPath& path);

/// While it lives, every call of RandomStream::substream() in the process is remembered. Only one lives at a
/// time: another waits for its end.
class StreamRecord {
 public:
  StreamRecord();
  ~StreamRecord();
  StreamRecord(const StreamRecord&) = delete;
  StreamRecord& operator=(const StreamRecord&) = delete;

  /// From the stream with key `first` to the one with key `last`; nothing where no calls lead there.
  std::optional<StreamPath> path(std::uint64_t first, std::uint64_t last) const;

  // Of RandomStream.
  static void note(std::uint64_t from, std::uint64_t to, std::string_view name);
  static void note(std::uint64_t from, std::uint64_t to, std::uint64_t index);

 private:
  struct Origin {
    std::uint64_t from;
    std::variant<std::uint64_t, std::string> name;
  };
  void add(std::uint64_t to, Origin origin);
  std::unique_lock<std::mutex> alone_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Origin> origins_;  // by the key that was derived
};

}  // namespace gsan
