#pragma once
// The members of a ZIP archive (PKWARE APPNOTE 6.3): stored or deflated, up to 4 GiB, not encrypted.
// Check sums in the archive are not looked at: whoever takes a member knows its SHA-256.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gsan {

struct ZipMember {
  std::string name;
  std::uint64_t size;    ///< of the content
  std::uint64_t packed;  ///< of its bytes in the archive
  std::uint64_t header;  ///< where its local header begins
  int method;            ///< 0 stored, 8 deflated
  bool encrypted;
};

/// The whole archive in memory. Whatever is wrong with it is Fault::format.
class ZipArchive {
 public:
  /// `source` names it in messages. A member whose name leads out of the folder it is unpacked in (absolute,
  /// "..", backslashes) or appears twice is refused, wanted or not.
  ZipArchive(std::string bytes, std::string source);

  const std::vector<ZipMember>& members() const { return members_; }
  const ZipMember& member(std::string_view name) const;

  /// Gives the content to `sink` piece by piece: exactly the size that the archive states, which must be at
  /// most `max_bytes`.
  void extract(const ZipMember& member, std::uint64_t max_bytes,
               const std::function<void(std::string_view)>& sink) const;

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const;
  std::uint64_t number(std::uint64_t at, int bytes) const;
  std::string_view slice(std::uint64_t at, std::uint64_t length) const;
  std::uint64_t find_end() const;
  void inflate(const ZipMember& member, std::string_view packed,
               const std::function<void(std::string_view)>& sink) const;

  std::string bytes_, source_;
  std::vector<ZipMember> members_;
};

}  // namespace gsan
