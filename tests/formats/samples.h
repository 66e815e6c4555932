#pragma once
// One small file of every format, with as many of its features as fit.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/signal.h"

namespace gsan {

// A square with a tail, in each of the three encodings: x is a double, y a float, with a
// colour between that must be passed over, faces with an extra list, and an unknown element.
inline std::string ply_sample(const std::string& format) {
  std::string bytes =
      "ply\nformat " + format +
      " 1.0\ncomment made by hand\nobj_info none\n"
      "element vertex 5\nproperty double x\nproperty uchar red\nproperty float y\nproperty int16 z\n"
      "element face 2\nproperty list uchar float extra\nproperty list uint8 int32 vertex_indices\n"
      "element thing 1\nproperty list ushort uint32 numbers\nproperty int8 a\n"
      "element edge 1\nproperty uint vertex1\nproperty ushort vertex2\nend_header\n";
  if (format == "ascii") {
    return bytes +
           "0 9 0 0\n1.5 9 0 0\n1.5 9 1.25 0\n0 9 1.25 -300\n\n7 9 7 7\n1 0.5 4 0 1 2 3\n0 3 0 1 4\n3 1 2 3 "
           "-1\n4 2\n";
  }
  const bool big = format == "binary_big_endian";
  const auto put = [&](auto value) {
    char item[sizeof value];
    std::memcpy(item, &value, sizeof value);
    if (big) std::reverse(item, item + sizeof value);
    bytes.append(item, sizeof value);
  };
  const double x[5] = {0, 1.5, 1.5, 0, 7};
  const float y[5] = {0, 0, 1.25f, 1.25f, 7};
  const std::int16_t z[5] = {0, 0, 0, -300, 7};
  for (int i = 0; i < 5; ++i) put(x[i]), put(std::uint8_t{9}), put(y[i]), put(z[i]);
  put(std::uint8_t{1}), put(0.5f), put(std::uint8_t{4});
  for (const std::int32_t corner : {0, 1, 2, 3}) put(corner);
  put(std::uint8_t{0}), put(std::uint8_t{3});
  for (const std::int32_t corner : {0, 1, 4}) put(corner);
  put(std::uint16_t{3});
  for (const std::uint32_t number : {1u, 2u, 3u}) put(number);
  put(std::int8_t{-1});
  put(std::uint32_t{4}), put(std::uint16_t{2});
  return bytes;
}

struct Sample {
  std::string format;  // of read_complex; "signal" for a table
  std::string bytes;
};

inline std::vector<Sample> samples() {
  Signal table = missing_signal(3, 2);
  for (std::size_t i = 0; i < table.values.size(); ++i) table.values[i] = 0.1 * static_cast<double>(i);
  return {
      {"simplices", "\xEF\xBB\xBF# list\n3 1 2\r\n\"New York\", x\n1,2 # edge\n\n7"},
      {"edges", "% graph\n1 2 0.5\n2 -3 1e-3\n\"a b\" 1 4\n"},
      {"edges", "source,target,weight\nRome,\"Paris, \"\"TX\"\"\",1.5\nRome,7,2\n"},
      {"hyperedges", "v0,v1,v2,weight\na,b,\"c \"\"d\"\"\",2.5\n7,a,,-1\n"},
      {"hyperedges", "edge,node\nt,1\nt,2\ns,3\nt,3\nt,4\n"},
      {"points", "id,x,y\na,0.5,1\nb,-1e3,2\n7,3,4\n"},
      {"points", "0 1 2\n3 4 5\n"},
      {"hif",
       R"({"network-type": "asc", "metadata": {"a": [1, {}]}, "nodes": [{"node": "u", "weight": 1.5}, {"node": 2}],
  "edges": [{"edge": 0, "weight": -2, "attrs": {"q": null}}],
  "incidences": [{"edge": 0, "node": 2}, {"edge": 0, "node": "u"}, {"edge": "t", "node": "\\u00e9"}]})"},
      {"gudhi", "0 0 0\n0 5 0.5\n1 5 0 inf\n2 7 5 0 1e2\n"},
      {"off", "OFF\n# square\n4 2 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n3 0 2 3\n"},
      {"off", "nOFF\n2\n3 1 0\n0 0\n1 0\n0 1\n3 0 1 2\n"},
      {"obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nf 1/1 2//1 \\\n -1\nl 1 3\n"},
      {"ply", ply_sample("ascii")},
      {"ply", ply_sample("binary_little_endian")},
      {"ply", ply_sample("binary_big_endian")},
      {"signal", "v0,v1,\"a \"\"b\"\"\",c\n1,2,0.5,-1e-300\n\"x y\",3,7,8\n"},
      {"signal", "1 2\n3 4\n"},
      {"signal", print_npy(table)}};
}

}  // namespace gsan
