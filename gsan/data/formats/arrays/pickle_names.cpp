#include "gsan/data/formats/arrays/detail/pickle_names.h"

#include <array>
#include <utility>

namespace gsan {

std::optional<PickleName> allowed_name(std::string_view module_and_name) {
  static constexpr std::pair<std::string_view, PickleName> names[] = {
      {"__builtin__ frozenset", PickleName::set},
      {"__builtin__ set", PickleName::set},
      {"builtins frozenset", PickleName::set},
      {"builtins set", PickleName::set},
      {"_codecs encode", PickleName::encode},
      {"numpy dtype", PickleName::dtype},
      {"numpy ndarray", PickleName::ndarray},
      {"numpy.core.multiarray _reconstruct", PickleName::reconstruct},
      {"numpy._core.multiarray _reconstruct", PickleName::reconstruct},
      {"scipy.sparse.coo coo_matrix", PickleName::coo_matrix},
      {"scipy.sparse._coo coo_matrix", PickleName::coo_matrix},
  };
  for (const auto& [name, meaning] : names)
    if (name == module_and_name) return meaning;
  return std::nullopt;
}

std::string opcode_text(unsigned char opcode) {
  static constexpr std::pair<unsigned char, std::string_view> names[] = {
      {'(', "MARK"},
      {'.', "STOP"},
      {'0', "POP"},
      {'1', "POP_MARK"},
      {'2', "DUP"},
      {'F', "FLOAT"},
      {'I', "INT"},
      {'J', "BININT"},
      {'K', "BININT1"},
      {'L', "LONG"},
      {'M', "BININT2"},
      {'N', "NONE"},
      {'P', "PERSID"},
      {'Q', "BINPERSID"},
      {'R', "REDUCE"},
      {'S', "STRING"},
      {'T', "BINSTRING"},
      {'U', "SHORT_BINSTRING"},
      {'V', "UNICODE"},
      {'X', "BINUNICODE"},
      {'a', "APPEND"},
      {'b', "BUILD"},
      {'c', "GLOBAL"},
      {'d', "DICT"},
      {'}', "EMPTY_DICT"},
      {'e', "APPENDS"},
      {'g', "GET"},
      {'h', "BINGET"},
      {'i', "INST"},
      {'j', "LONG_BINGET"},
      {'l', "LIST"},
      {']', "EMPTY_LIST"},
      {'o', "OBJ"},
      {'p', "PUT"},
      {'q', "BINPUT"},
      {'r', "LONG_BINPUT"},
      {'s', "SETITEM"},
      {'t', "TUPLE"},
      {')', "EMPTY_TUPLE"},
      {'u', "SETITEMS"},
      {'G', "BINFLOAT"},
      {0x80, "PROTO"},
      {0x81, "NEWOBJ"},
      {0x82, "EXT1"},
      {0x83, "EXT2"},
      {0x84, "EXT4"},
      {0x85, "TUPLE1"},
      {0x86, "TUPLE2"},
      {0x87, "TUPLE3"},
      {0x88, "NEWTRUE"},
      {0x89, "NEWFALSE"},
      {0x8a, "LONG1"},
      {0x8b, "LONG4"},
      {'B', "BINBYTES"},
      {'C', "SHORT_BINBYTES"},
      {0x8c, "SHORT_BINUNICODE"},
      {0x8d, "BINUNICODE8"},
      {0x8e, "BINBYTES8"},
      {0x8f, "EMPTY_SET"},
      {0x90, "ADDITEMS"},
      {0x91, "FROZENSET"},
      {0x92, "NEWOBJ_EX"},
      {0x93, "STACK_GLOBAL"},
      {0x94, "MEMOIZE"},
      {0x95, "FRAME"},
      {0x96, "BYTEARRAY8"},
      {0x97, "NEXT_BUFFER"},
      {0x98, "READONLY_BUFFER"},
  };
  static constexpr std::string_view digits = "0123456789abcdef";
  const std::string code = {'0', 'x', digits[opcode >> 4], digits[opcode & 15]};
  for (const auto& [known, name] : names)
    if (known == opcode) return std::string(name) + " (" + code + ")";
  return code;
}

}  // namespace gsan
