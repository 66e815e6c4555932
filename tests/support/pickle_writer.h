#pragma once
// Pickles in the style of the published files (protocol 2), piece by piece.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gsan::pickled {

/// An opcode with a number of four bytes.
inline std::string coded(char opcode, std::uint32_t value) {
  std::string bytes(1, opcode);
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

inline std::string integer(std::int32_t value) { return coded('J', static_cast<std::uint32_t>(value)); }
inline std::string text(const std::string& value) {
  return coded('X', static_cast<std::uint32_t>(value.size())) + value;
}

inline std::string list(const std::vector<std::string>& items) {
  std::string bytes = "](";
  for (const std::string& item : items) bytes += item;
  return bytes + "e";
}

inline std::string frozenset(const std::vector<std::int32_t>& members) {
  std::vector<std::string> items;
  for (const std::int32_t member : members) items.push_back(integer(member));
  return std::string("c__builtin__\nfrozenset\n") + list(items) + "\x85R";
}

inline std::string dict(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string bytes = "}(";
  for (const auto& [key, value] : pairs) bytes += key + value;
  return bytes + "u";
}

inline std::string whole(const std::string& value) { return "\x80\x02" + value + "."; }

/// numpy.ndarray of objects, one dimension.
inline std::string object_array(const std::vector<std::string>& items) {
  const std::string type = "cnumpy\ndtype\n" + text("O8") + "K" + std::string(1, '\0') + "K\x01\x87R(K\x03" +
                           text("|") + "NNN" + integer(-1) + integer(-1) + "K\x3ftb";
  return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK" + std::string(1, '\0') +
         "\x85"
         "c_codecs\nencode\n" +
         text("b") + text("latin1") + "\x86R\x87R(K\x01" + integer(static_cast<std::int32_t>(items.size())) +
         "\x85" + type + "\x89" + list(items) + "tb";
}

/// An NPY file of objects.
inline std::string object_npy(const std::vector<std::string>& items) {
  const std::string header =
      "{'descr': '|O', 'fortran_order': False, 'shape': (" + std::to_string(items.size()) + ",), }\n";
  std::string bytes = "\x93NUMPY\x01";
  bytes += {'\0', static_cast<char>(header.size()), '\0'};
  return bytes + header + whole(object_array(items));
}

}  // namespace gsan::pickled
