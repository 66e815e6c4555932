#include "gsan/data/formats/gzip.h"

#include <algorithm>
#include <array>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"

#ifdef GSAN_HAVE_ZLIB
#include <zlib.h>
#endif

namespace gsan {
namespace {

#ifdef GSAN_HAVE_ZLIB

struct Stream : z_stream {
  Stream() : z_stream{} {}
  ~Stream() { inflateEnd(this); }
};

// Cuts one member off `rest` and appends what it holds.
void unpack_member(std::string_view& rest, std::string& content, std::string_view source,
                   std::size_t max_bytes) {
  Stream stream;
  constexpr int gzip_alone = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_alone) != Z_OK) fail(Fault::resource, "zlib cannot be initialised");
  std::array<char, 1 << 16> piece;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (stream.avail_in == 0) {
      const std::size_t length = std::min<std::size_t>(rest.size(), 1 << 20);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(length);
      rest.remove_prefix(length);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    state = ::inflate(&stream, Z_NO_FLUSH);
    if (state != Z_OK && state != Z_STREAM_END)
      fail(Fault::format, source, ": the gzip file is damaged or cut; pack it again, or unpack it by hand");
    const std::size_t length = piece.size() - stream.avail_out;
    if (length > max_bytes - content.size())
      fail(Fault::resource, source, ": unpacks to more than max_unpacked_bytes = ", max_bytes,
           "; unpack it by hand, if it is meant to be that large");
    content.append(piece.data(), length);
  }
  rest = {rest.data() - stream.avail_in, rest.size() + stream.avail_in};
}

std::string unpack(std::string_view bytes, std::string_view source, std::size_t max_bytes) {
  std::string content;
  while (is_gzip(bytes)) unpack_member(bytes, content, source, max_bytes);
  if (bytes.find_first_not_of('\0') != std::string_view::npos)  // tapes are filled up with zeros
    fail(Fault::format, source, ": other bytes follow the gzip file; pack it again");
  return content;
}

#else

std::string unpack(std::string_view, std::string_view source, std::size_t) {
  fail(Fault::io, source,
       ": cannot unpack it: this gsan was built without zlib; unpack it by hand with gunzip");
}

#endif

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string unpacked(std::string bytes, std::string_view source, std::size_t max_bytes) {
  return is_gzip(bytes) ? unpack(bytes, source, max_bytes) : bytes;
}

std::string read_unpacked(const std::filesystem::path& path) {
  return unpacked(read_file(path), path.string());
}

std::string_view without_gz(std::string_view name) {
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

}  // namespace gsan
