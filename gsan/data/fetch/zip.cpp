#include "gsan/data/fetch/zip.h"

#include <algorithm>
#include <array>
#include <set>

#include "gsan/core/check.h"
#include "gsan/core/quoted.h"
#include "gsan/data/fetch/detail/plain_path.h"

#ifdef GSAN_HAVE_ZLIB
#include <zlib.h>
#endif

namespace gsan {
namespace {

constexpr std::uint64_t end_length = 22, directory_length = 46, local_length = 30;  // without their names
constexpr std::uint64_t end_mark = 0x06054b50, directory_mark = 0x02014b50, local_mark = 0x04034b50;

}  // namespace

template <class... Parts>
void ZipArchive::refuse(const Parts&... parts) const {
  fail(Fault::format, source_, ": ", parts...);
}

std::string_view ZipArchive::slice(std::uint64_t at, std::uint64_t length) const {
  if (at > bytes_.size() || length > bytes_.size() - at) refuse("the archive is truncated or damaged");
  return std::string_view(bytes_).substr(at, length);
}

std::uint64_t ZipArchive::number(std::uint64_t at, int bytes) const {
  std::uint64_t value = 0;
  const std::string_view text = slice(at, static_cast<std::uint64_t>(bytes));
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(text[i]);
  return value;
}

// The record at the end, before a comment of at most 65535 bytes.
std::uint64_t ZipArchive::find_end() const {
  if (bytes_.size() >= end_length) {
    const std::uint64_t last = bytes_.size() - end_length;
    for (std::uint64_t comment = 0; comment <= std::min<std::uint64_t>(last, 0xffff); ++comment) {
      const std::uint64_t at = last - comment;
      if (number(at, 4) == end_mark && number(at + 20, 2) == comment) return at;
    }
  }
  refuse("not a ZIP archive, or truncated");
}

ZipArchive::ZipArchive(std::string bytes, std::string source)
    : bytes_(std::move(bytes)), source_(std::move(source)) {
  const std::uint64_t end = find_end();
  const std::uint64_t count = number(end + 10, 2);
  std::uint64_t at = number(end + 16, 4);
  if (number(end + 4, 2) != 0 || number(end + 8, 2) != count || count == 0xffff || at == 0xffffffff)
    refuse("archives of several volumes or of more than 4 GiB are not supported");
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (number(at, 4) != directory_mark) refuse("the directory of the archive is damaged");
    const std::uint64_t name_length = number(at + 28, 2);
    ZipMember member{.name = std::string(slice(at + directory_length, name_length)),
                     .size = number(at + 24, 4),
                     .packed = number(at + 20, 4),
                     .header = number(at + 42, 4),
                     .method = static_cast<int>(number(at + 10, 2)),
                     .encrypted = (number(at + 8, 2) & 1) != 0};
    const bool is_folder = member.name.ends_with('/');
    if (!is_plain_path(std::string_view(member.name).substr(0, member.name.size() - is_folder)))
      refuse("the archive is refused: its member ", in_quotes(member.name), " leads out of the folder");
    if (!names.insert(member.name).second) refuse("the member ", in_quotes(member.name), " occurs twice");
    members_.push_back(std::move(member));
    at += directory_length + name_length + number(at + 30, 2) + number(at + 32, 2);
  }
}

const ZipMember& ZipArchive::member(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const ZipMember& member) { return member.name == name; });
  if (found == members_.end()) refuse("the archive does not contain ", in_quotes(name));
  return *found;
}

void ZipArchive::extract(const ZipMember& member, std::uint64_t max_bytes,
                         const std::function<void(std::string_view)>& sink) const {
  if (member.encrypted) refuse("the member ", in_quotes(member.name), " is encrypted");
  if (member.size > max_bytes)
    refuse("the member ", in_quotes(member.name), " has ", member.size, " bytes, more than the ", max_bytes,
           " that it should have");
  if (number(member.header, 4) != local_mark) refuse("the header of ", in_quotes(member.name), " is damaged");
  const std::uint64_t content =
      member.header + local_length + number(member.header + 26, 2) + number(member.header + 28, 2);
  const std::string_view packed = slice(content, member.packed);
  if (member.method == 0) {
    if (member.packed != member.size) refuse("the sizes of ", in_quotes(member.name), " disagree");
    return sink(packed);
  }
  if (member.method != 8)
    refuse("the member ", in_quotes(member.name), " is packed by method ", member.method,
           "; stored and deflate are supported");
  inflate(member, packed, sink);
}

#ifdef GSAN_HAVE_ZLIB

void ZipArchive::inflate(const ZipMember& member, std::string_view packed,
                         const std::function<void(std::string_view)>& sink) const {
  struct Stream : z_stream {
    Stream() : z_stream{} {}
    ~Stream() { inflateEnd(this); }
  } stream;
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail(Fault::resource, "zlib cannot be initialised");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(packed.size());
  std::array<char, 1 << 16> piece;
  std::uint64_t written = 0;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    state = ::inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END) refuse("the member ", in_quotes(member.name), " is damaged");
    const std::size_t length = piece.size() - stream.avail_out;
    written += length;
    if (written > member.size) break;
    sink({piece.data(), length});
  }
  if (written != member.size)
    refuse("the member ", in_quotes(member.name), " is not as long as the archive states");
}

#else

void ZipArchive::inflate(const ZipMember& member, std::string_view,
                         const std::function<void(std::string_view)>&) const {
  fail(Fault::io, source_, ": cannot unpack ", in_quotes(member.name),
       ": this gsan was built without zlib; unpack it by hand");
}

#endif

}  // namespace gsan
