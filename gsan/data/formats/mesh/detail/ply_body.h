#pragma once
// The values after a PLY header, one item (a vertex, a face) after the other. Both kinds of
// body have the same members, so that one reader serves them.

#include <cstdint>
#include <string_view>

#include "gsan/data/formats/arrays/bytes.h"
#include "gsan/data/formats/mesh/detail/ply_header.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {

class PlyBinaryBody {
 public:
  PlyBinaryBody(const PlyHeader& header, std::string_view source, std::size_t file_size);

  void begin_item(const PlyElement&, std::uint64_t) {}
  double value(PlyType type);
  void end_item() {}
  void finish();  ///< only line breaks may follow the last item

  static std::size_t least_size(const PlyElement& element);  ///< bytes that one item takes at least
  std::size_t left() const { return rest_.size(); }

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(Fault::format, source_, ": byte ", file_size_ - rest_.size(), ": ", parts...);
  }

 private:
  std::string_view rest_;
  ByteOrder order_;
  std::string_view source_;
  std::size_t file_size_;
};

/// One item a line.
class PlyAsciiBody {
 public:
  PlyAsciiBody(const PlyHeader& header, std::string_view source);

  void begin_item(const PlyElement& element, std::uint64_t i);
  double value(PlyType type);
  void end_item();
  void finish();

  static std::size_t least_size(const PlyElement&) { return 1; }
  std::size_t left() const { return lines_.rest().size(); }

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    lines_.fail_at(rest_, parts...);
  }

 private:
  Lines lines_;
  std::string_view rest_;  // of the current line
};

}  // namespace gsan
