#include "gsan/data/formats/arrays/object_npy.h"

#include <utility>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/detail/npy_header.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {

ObjectArray parse_object_npy(std::string_view bytes, std::string_view source) {
  NpyHeader header = parse_npy_header(bytes, source, NpyItems::objects);
  const PickleValue array = parse_pickle(bytes.substr(header.data_offset), source, header.data_offset);
  if (array.kind() != PickleKind::array || !array.type().ends_with("O8") || array.shape() != header.shape)
    fail(Fault::format, source,
         ": the pickle does not hold an array of objects with the shape of the header");
  if (array.fortran_order() && header.shape.size() > 1)
    fail(Fault::format, source, ": an array of objects in Fortran order is not supported");
  return {std::move(header.shape), array.data()};
}

ObjectArray read_object_npy(const std::filesystem::path& path) {
  return parse_object_npy(read_file(path), path.string());
}

}  // namespace gsan
