#pragma once
// Values in Python's pickle format, read without Python and without executing anything: the plain
// values, and the few classes in which numpy and scipy wrap arrays. A name outside of that list, and
// every opcode that they do not need, is refused.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace gsan {

struct PickleTree;

enum class PickleKind {
  none,
  boolean,
  integer,
  number,
  text,
  bytes,
  list,
  tuple,
  dict,    ///< pairs in the order of the file, equal keys not merged
  set,     ///< a set or frozenset, members in the order of the file, equal ones not merged
  name,    ///< a class or function of the allow-list, by itself
  type,    ///< numpy.dtype
  array,   ///< numpy.ndarray
  object,  ///< scipy.sparse.coo_matrix, as the dict of its fields
};

/// One value of a pickle. Copies are cheap and keep the whole pickle alive. Values that a pickle
/// mentions twice are shared; no value contains itself. Asking for what a value is not is Fault::format,
/// with the place in the file.
class PickleValue {
 public:
  PickleValue(std::shared_ptr<const PickleTree> tree, std::uint32_t node)
      : tree_(std::move(tree)), node_(node) {}

  PickleKind kind() const;
  bool boolean() const;
  std::int64_t integer() const;
  double number() const;          ///< of a number or an integer
  std::string_view text() const;  ///< of text (UTF-8, as in the file), bytes or a name

  std::size_t size() const;                     ///< of a list, tuple or set; the pairs of a dict
  PickleValue operator[](std::size_t i) const;  ///< item of a list, tuple or set
  PickleValue key(std::size_t i) const;         ///< of a dict
  PickleValue value(std::size_t i) const;       ///< of a dict

  // Of an array: its sizes, its type ("<i4", "|O8", …), whether the first index runs fastest, and its
  // items: a list for the types O, else bytes; as many as the shape says.
  std::vector<std::uint64_t> shape() const;
  std::string_view type() const;
  bool fortran_order() const;
  PickleValue data() const;

  PickleValue fields() const;  ///< of an object: a dict

 private:
  PickleValue item(std::size_t i) const;
  void expect(bool is_so, std::string_view wanted) const;
  std::shared_ptr<const PickleTree> tree_;
  std::uint32_t node_;
};

/// Reads one pickle (protocols 2 to 5), which must fill `bytes`. `offset` is where they begin in the
/// source, for messages. Memory grows with the size of `bytes`, whatever they say; nothing recurses.
PickleValue parse_pickle(std::string_view bytes, std::string_view source, std::size_t offset = 0);

}  // namespace gsan
