// What the names of the allow-list do: sets, bytes, numpy arrays and their types, sparse matrices.

#include <bit>

#include "gsan/data/formats/arrays/detail/pickle_reader.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

constexpr std::size_t most_dimensions = 64;  // numpy's own limit

}  // namespace

void PickleReader::reduce() {
  const Node arguments = pop(), function = pop();
  if (!is(arguments, PickleKind::tuple) || !is(function, PickleKind::name))
    fail_here("REDUCE needs a name and a tuple, got ", kind_text(node(function).kind), " and ",
              kind_text(node(arguments).kind));
  const Nodes& tuple = extra(arguments).items;
  switch (static_cast<PickleName>(extra(function).flag)) {
    case PickleName::set:
      return make_set(arguments);
    case PickleName::encode:
      return encode(arguments);
    case PickleName::dtype: {
      if (tuple.empty() || !is(tuple[0], PickleKind::text)) break;
      const std::string type = extra(tuple[0]).text;
      count_copy(type.size());
      return push_text(PickleKind::type, type);
    }
    case PickleName::reconstruct:
      if (!are(tuple, PickleKind::name, PickleKind::tuple, PickleKind::bytes) ||
          extra(tuple[0]).flag != static_cast<int>(PickleName::ndarray))
        break;
      push(PickleKind::array);
      return;
    default:
      break;
  }
  fail_here("REDUCE of ", extra(function).text, " with unsupported arguments");
}

void PickleReader::make_set(Node arguments) {
  Nodes members;
  if (const Nodes& tuple = extra(arguments).items; !tuple.empty()) {
    const Node list = tuple[0];
    if (tuple.size() != 1 || (!is(list, PickleKind::list) && !is(list, PickleKind::tuple)))
      fail_here("a set is made from one list, not from ", kind_text(node(list).kind));
    members = extra(list).items;
    count_copy(members.size());
  }
  push_tuple(members, PickleKind::set);
}

// _codecs.encode(text, 'latin1'): how Python 3 spells bytes in protocol 2.
void PickleReader::encode(Node arguments) {
  const Nodes& tuple = extra(arguments).items;
  if (!are(tuple, PickleKind::text, PickleKind::text) || extra(tuple[1]).text != "latin1")
    fail_here("_codecs.encode is supported for a text and 'latin1' only");
  const std::string& text = extra(tuple[0]).text;
  count_copy(text.size());
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      bytes += text[i];
    } else if ((c == 0xc2 || c == 0xc3) && i + 1 < text.size() && (text[i + 1] & 0xc0) == 0x80) {
      bytes += static_cast<char>((c & 3) << 6 | (text[++i] & 0x3f));
    } else {
      fail_here("_codecs.encode: the text is not UTF-8 of latin1");
    }
  }
  push_text(PickleKind::bytes, bytes);
}

void PickleReader::build() {
  const Node state = pop(), target = top();
  if (node(target).sealed) fail_here("BUILD changes a value that is part of another one");
  switch (node(target).kind) {
    case PickleKind::type:
      return build_type(target, state);
    case PickleKind::array:
      return build_array(target, state);
    case PickleKind::object:
      if (!is(state, PickleKind::dict)) fail_here("the fields of a sparse matrix are a dict");
      if (!extra(target).items.empty()) fail_here("BUILD sets the fields of a matrix twice");
      return put(target, {state});
    default:
      fail_here("BUILD needs a type, an array or a matrix, got ", kind_text(node(target).kind));
  }
}

// state: (3, byte order, None, …)
void PickleReader::build_type(Node type, Node state) {
  const Nodes& parts = extra(state).items;
  if (!is(state, PickleKind::tuple) || parts.size() < 2 || !is(parts[1], PickleKind::text))
    fail_here("the state of a numpy dtype is (3, byte order, …)");
  const std::string& order = extra(parts[1]).text;
  if (order.size() != 1 || std::string_view("<>|=").find(order[0]) == std::string_view::npos)
    fail_here("a byte order is one of < > | =, not ", in_quotes(order));
  std::string& text = tree_->own_extra(type).text;
  if (text.empty() || std::string_view("<>|=").find(text[0]) != std::string_view::npos)
    fail_here("the type of an array is not known, or built twice");
  text.insert(0, order);
}

// state: (1, shape, type, Fortran order, list or bytes)
void PickleReader::build_array(Node array, Node state) {
  const Nodes& tuple = extra(state).items;
  if (!is(state, PickleKind::tuple) || tuple.size() != 5 || !extra(array).items.empty() ||
      !is(tuple[1], PickleKind::tuple) || !is(tuple[2], PickleKind::type) ||
      !is(tuple[3], PickleKind::boolean))
    fail_here("the state of a numpy array is (1, shape, dtype, order, data), once");
  const Nodes parts = {tuple[1], tuple[2], tuple[4]};
  const std::size_t count = item_count(extra(parts[1]).text, parts[2]);
  const Nodes& sizes = extra(parts[0]).items;
  if (sizes.size() > most_dimensions)
    fail_here("an array has at most ", most_dimensions, " dimensions, this one ", sizes.size());
  std::size_t product = 1;
  for (const Node size : sizes) {
    const std::int64_t value = node(size).value;
    if (!is(size, PickleKind::integer) || value < 0)
      fail_here("the sizes of an array are integers from 0 on");
    if (__builtin_mul_overflow(product, static_cast<std::size_t>(value), &product))
      fail_here("the sizes of an array are too large");
  }
  if (product != count) fail_here("an array has ", count, " values, its shape says ", product);
  const bool is_fortran = node(tuple[3]).value != 0;
  put(array, parts);
  tree_->own_extra(array).flag = is_fortran;
}

std::size_t PickleReader::item_count(std::string_view type, Node data) {
  if (type.size() < 2) fail_here("an array without a type");
  if (type[1] == 'O') {
    if (!is(data, PickleKind::list))
      fail_here("an array of objects holds a list, not ", kind_text(node(data).kind));
    return extra(data).items.size();
  }
  const auto size = parse_integer(type.substr(2));
  if (std::string_view("biuf").find(type[1]) == std::string_view::npos || !size || *size < 1 || *size > 8 ||
      !std::has_single_bit(static_cast<std::uint64_t>(*size)))
    fail_here("arrays of type ", in_quotes(type),
              " are not supported; known are b1, i1 … i8, u1 … u8, f2 f4 f8 and O");
  const auto width = static_cast<std::size_t>(*size);
  const std::size_t bytes = extra(data).text.size();
  if (!is(data, PickleKind::bytes) || bytes % width != 0)
    fail_here("the values of an array of type ", in_quotes(type), " are bytes, ", width, " each");
  return bytes / width;
}

void PickleReader::new_object() {
  const Node arguments = pop(), type = pop();
  if (!is(type, PickleKind::name) || extra(type).flag != static_cast<int>(PickleName::coo_matrix) ||
      !is(arguments, PickleKind::tuple) || !extra(arguments).items.empty())
    fail_here("NEWOBJ is supported for an empty coo_matrix only");
  push(PickleKind::object);
}

}  // namespace gsan
