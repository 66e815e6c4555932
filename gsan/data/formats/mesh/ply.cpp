#include "gsan/data/formats/mesh/ply.h"

#include <cmath>
#include <vector>

#include "gsan/data/formats/mesh/detail/mesh.h"
#include "gsan/data/formats/mesh/detail/ply_body.h"
#include "gsan/data/formats/mesh/detail/ply_header.h"

namespace gsan {
namespace {

// Which properties of an element matter; −1 for those that it does not have.
struct Roles {
  int axes[3] = {-1, -1, -1};  // of a vertex
  int corners = -1;            // of a face, a list
  int ends[2] = {-1, -1};      // of an edge
};

Roles find_roles(const PlyElement& element, std::string_view source) {
  Roles roles;
  if (element.name == "vertex") {
    for (std::size_t c = 0; c < 3; ++c) roles.axes[c] = element.find({std::string_view("xyz").substr(c, 1)});
    if (roles.axes[0] < 0 || roles.axes[1] < 0) {
      fail(Fault::format, source, ": element 'vertex' needs the properties x and y");
    }
  } else if (element.name == "face") {
    roles.corners = element.find({"vertex_indices", "vertex_index"}, true);
    if (roles.corners < 0 && element.count > 0) {
      fail(Fault::format, source, ": element 'face' needs a list vertex_indices or vertex_index");
    }
  } else if (element.name == "edge") {
    roles.ends[0] = element.find({"vertex1"});
    roles.ends[1] = element.find({"vertex2"});
    if ((roles.ends[0] < 0 || roles.ends[1] < 0) && element.count > 0) {
      fail(Fault::format, source, ": element 'edge' needs the properties vertex1 and vertex2");
    }
  } else if (element.name == "tristrips" && element.count > 0) {
    fail(Fault::format, source, ": triangle strips are not supported; save the mesh with faces");
  }
  return roles;
}

template <class Body>
std::int64_t to_index(double value, const Body& body) {
  if (!(std::abs(value) < 0x1p53) || value != std::floor(value)) {
    body.fail_here("a count or the number of a point must be an integer, got ", value);
  }
  return static_cast<std::int64_t>(value);
}

// Reads one item: single values by property, and the list that `corners` names.
template <class Body>
void read_item(Body& body, const PlyElement& element, const Roles& roles, std::vector<double>& values,
               std::vector<std::int64_t>& corners) {
  values.assign(element.properties.size(), 0.0);
  corners.clear();
  for (std::size_t p = 0; p < element.properties.size(); ++p) {
    const PlyProperty& property = element.properties[p];
    values[p] = body.value(property.is_list ? property.count_type : property.type);
    if (!property.is_list) continue;
    const std::int64_t length = to_index(values[p], body);
    if (length < 0) body.fail_here("the length of a list must not be negative, got ", length);
    for (std::int64_t n = 0; n < length; ++n) {
      const double item = body.value(property.type);
      if (static_cast<int>(p) == roles.corners) corners.push_back(to_index(item, body));
    }
  }
}

template <class Body>
ComplexFile read_body(Body body, const PlyHeader& header, std::string_view source,
                      const ReadOptions& options) {
  std::size_t dimension = 0;
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") dimension = element.find({"z"}) < 0 ? 2 : 3;
  }
  if (dimension == 0) fail(Fault::format, source, ": the PLY header has no element 'vertex'");
  MeshBuilder mesh(source, "face", dimension);
  std::vector<double> values;
  std::vector<std::int64_t> corners;
  for (const PlyElement& element : header.elements) {
    const Roles roles = find_roles(element, source);
    if (element.count > 0 &&
        (element.properties.empty() || element.count > body.left() / Body::least_size(element))) {
      body.fail_here("the header announces ", element.count, " items of '", element.name, "', but only ",
                     body.left(), " bytes follow; the file is truncated or damaged");
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
      body.begin_item(element, i);
      read_item(body, element, roles, values, corners);
      body.end_item();
      if (element.name == "vertex") {
        double point[3] = {};
        for (std::size_t c = 0; c < dimension && roles.axes[c] >= 0; ++c)
          point[c] = values[static_cast<std::size_t>(roles.axes[c])];
        mesh.add_point(point);
      } else if (element.name == "face") {
        mesh.add_face(corners, i);
      } else if (element.name == "edge") {
        const std::int64_t ends[2] = {to_index(values[static_cast<std::size_t>(roles.ends[0])], body),
                                      to_index(values[static_cast<std::size_t>(roles.ends[1])], body)};
        mesh.add_face(ends, i);
      }
    }
  }
  body.finish();
  return mesh.build(0, options);
}

}  // namespace

ComplexFile parse_ply(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  const PlyHeader header = parse_ply_header(bytes, source);
  if (header.encoding == PlyEncoding::ascii)
    return read_body(PlyAsciiBody(header, source), header, source, options);
  return read_body(PlyBinaryBody(header, source, bytes.size()), header, source, options);
}

}  // namespace gsan
