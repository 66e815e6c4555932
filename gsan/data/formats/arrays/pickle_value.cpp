#include <bit>

#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/detail/pickle_tree.h"
#include "gsan/data/formats/arrays/pickle.h"

namespace gsan {

std::string_view kind_text(PickleKind kind) {
  switch (kind) {
    case PickleKind::none:
      return "None";
    case PickleKind::boolean:
      return "a boolean";
    case PickleKind::integer:
      return "an integer";
    case PickleKind::number:
      return "a float";
    case PickleKind::text:
      return "a text";
    case PickleKind::bytes:
      return "bytes";
    case PickleKind::list:
      return "a list";
    case PickleKind::tuple:
      return "a tuple";
    case PickleKind::dict:
      return "a dict";
    case PickleKind::set:
      return "a set";
    case PickleKind::name:
      return "a class";
    case PickleKind::type:
      return "a numpy dtype";
    case PickleKind::array:
      return "a numpy array";
    case PickleKind::object:
      return "a sparse matrix";
  }
  return "a value";
}

PickleKind PickleValue::kind() const { return tree_->nodes[node_].kind; }

void PickleValue::expect(bool is_so, std::string_view wanted) const {
  if (is_so) return;
  const PickleNode& node = tree_->nodes[node_];
  fail(Fault::format, tree_->source, ": byte ", tree_->offset + node.offset, ": expected ", wanted,
       ", found ", kind_text(node.kind));
}

PickleValue PickleValue::item(std::size_t i) const { return {tree_, tree_->extra(node_).items[i]}; }

bool PickleValue::boolean() const {
  expect(kind() == PickleKind::boolean, "a boolean");
  return tree_->nodes[node_].value != 0;
}

std::int64_t PickleValue::integer() const {
  expect(kind() == PickleKind::integer, "an integer");
  return tree_->nodes[node_].value;
}

double PickleValue::number() const {
  const PickleNode& node = tree_->nodes[node_];
  if (node.kind == PickleKind::integer) return static_cast<double>(node.value);
  expect(node.kind == PickleKind::number, "a number");
  return std::bit_cast<double>(node.value);
}

std::string_view PickleValue::text() const {
  expect(kind() == PickleKind::text || kind() == PickleKind::bytes || kind() == PickleKind::name, "a text");
  return tree_->extra(node_).text;
}

std::size_t PickleValue::size() const {
  const PickleNode& node = tree_->nodes[node_];
  if (node.kind == PickleKind::dict) return tree_->extra(node_).items.size() / 2;
  expect(node.kind == PickleKind::list || node.kind == PickleKind::tuple || node.kind == PickleKind::set,
         "a list, tuple, set or dict");
  return tree_->extra(node_).items.size();
}

PickleValue PickleValue::operator[](std::size_t i) const {
  expect(kind() != PickleKind::dict, "a list, tuple or set");
  GSAN_CHECK(i < size(), "PickleValue: item ", i, " of ", size());
  return item(i);
}

PickleValue PickleValue::key(std::size_t i) const {
  expect(kind() == PickleKind::dict, "a dict");
  GSAN_CHECK(i < size(), "PickleValue::key: pair ", i, " of ", size());
  return item(2 * i);
}

PickleValue PickleValue::value(std::size_t i) const {
  expect(kind() == PickleKind::dict, "a dict");
  GSAN_CHECK(i < size(), "PickleValue::value: pair ", i, " of ", size());
  return item(2 * i + 1);
}

std::vector<std::uint64_t> PickleValue::shape() const {
  expect(kind() == PickleKind::array && !tree_->extra(node_).items.empty(), "a numpy array with its values");
  const PickleValue sizes = item(0);
  std::vector<std::uint64_t> shape;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    shape.push_back(static_cast<std::uint64_t>(sizes[i].integer()));
  return shape;
}

std::string_view PickleValue::type() const {
  expect(kind() == PickleKind::array && !tree_->extra(node_).items.empty(), "a numpy array with its values");
  return tree_->extra(tree_->extra(node_).items[1]).text;
}

bool PickleValue::fortran_order() const {
  expect(kind() == PickleKind::array, "a numpy array");
  return tree_->extra(node_).flag != 0;
}

PickleValue PickleValue::data() const {
  expect(kind() == PickleKind::array && !tree_->extra(node_).items.empty(), "a numpy array with its values");
  return item(2);
}

PickleValue PickleValue::fields() const {
  expect(kind() == PickleKind::object && !tree_->extra(node_).items.empty(),
         "a sparse matrix with its fields");
  return item(0);
}

}  // namespace gsan
