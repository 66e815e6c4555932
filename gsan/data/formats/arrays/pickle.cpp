#include "gsan/data/formats/arrays/pickle.h"

#include <bit>

#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/detail/pickle_reader.h"

namespace gsan {

void PickleReader::stack_global() {
  const Node name = pop(), module = pop();
  if (!is(name, PickleKind::text) || !is(module, PickleKind::text)) fail_here("STACK_GLOBAL needs two texts");
  push_name(extra(module).text, extra(name).text);
}

// LONG1: little endian, two's complement, any number of bytes; here those that fit.
void PickleReader::push_long() {
  const std::string_view digits = take(number<std::uint8_t>());
  if (digits.size() > 8) fail_here("an integer of ", digits.size(), " bytes; at most 8 are supported");
  std::uint64_t value = !digits.empty() && (digits.back() & 0x80) ? ~std::uint64_t{0} : 0;
  for (std::size_t i = digits.size(); i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(digits[i - 1]);
  push_integer(static_cast<std::int64_t>(value));
}

// One opcode; false after STOP.
bool PickleReader::step() {
  start_ = at_;
  if (at_ == bytes_.size()) fail_here("the file ends before the pickle does");
  opcode_ = static_cast<unsigned char>(bytes_[at_++]);
  switch (opcode_) {
    case '.':  // STOP
      return false;
    case 0x80:  // PROTO
      if (const int version = number<std::uint8_t>(); version < 2 || version > 5)
        fail_here("protocols 2 to 5 are supported, got ", version);
      break;
    case 0x95:  // FRAME: how far to read ahead; its content follows as usual
      if (const auto size = number<std::uint64_t>(); size > bytes_.size() - at_)
        fail_here("a frame of ", size, " bytes, the file has ", bytes_.size() - at_, " more");
      break;
    case '(':
      marks_.push_back(stack_.size());
      break;
    case 'N':
      push(PickleKind::none);
      break;
    case 0x88:
    case 0x89:
      push(PickleKind::boolean).value = opcode_ == 0x88;
      break;
    case 'J':
      push_integer(number<std::int32_t>());
      break;
    case 'K':
      push_integer(number<std::uint8_t>());
      break;
    case 'M':
      push_integer(number<std::uint16_t>());
      break;
    case 0x8a:
      push_long();
      break;
    case 'G': {
      const double value = load_bytes<double>(take(8).data(), ByteOrder::big);
      push(PickleKind::number).value = std::bit_cast<std::int64_t>(value);
      break;
    }
    case 'X':
      push_text(PickleKind::text, take(number<std::uint32_t>()));
      break;
    case 0x8c:
      push_text(PickleKind::text, take(number<std::uint8_t>()));
      break;
    case 'B':
      push_text(PickleKind::bytes, take(number<std::uint32_t>()));
      break;
    case 'C':
      push_text(PickleKind::bytes, take(number<std::uint8_t>()));
      break;
    case ']':
      push(PickleKind::list);
      break;
    case '}':
      push(PickleKind::dict);
      break;
    case 0x8f:
      push(PickleKind::set);
      break;
    case 'a':
      extend(PickleKind::list, {pop()});
      break;
    case 'e':
      extend(PickleKind::list, pop_to_mark());
      break;
    case 's': {
      const Node value = pop(), key = pop();
      extend(PickleKind::dict, {key, value});
      break;
    }
    case 'u':
      extend(PickleKind::dict, pop_to_mark());
      break;
    case 0x90:
      extend(PickleKind::set, pop_to_mark());
      break;
    case 0x91:
      push_tuple(pop_to_mark(), PickleKind::set);
      break;
    case ')':
      push(PickleKind::tuple);
      break;
    case 0x85:
    case 0x86:
    case 0x87:
      push_tuple(static_cast<std::size_t>(opcode_ - 0x84));
      break;
    case 't':
      push_tuple(pop_to_mark());
      break;
    case 'q':
      memoize(number<std::uint8_t>());
      break;
    case 'r':
      memoize(number<std::uint32_t>());
      break;
    case 0x94:
      memoize(memo_.size());
      break;
    case 'h':
      recall(number<std::uint8_t>());
      break;
    case 'j':
      recall(number<std::uint32_t>());
      break;
    case 'c': {
      const std::string_view module = line(), name = line();
      push_name(module, name);
      break;
    }
    case 0x93:
      stack_global();
      break;
    case 'R':
      reduce();
      break;
    case 0x81:
      new_object();
      break;
    case 'b':
      build();
      break;
    default:
      fail_here("opcode ", opcode_text(opcode_), " is not supported: only plain values and numpy arrays are");
  }
  return true;
}

PickleValue parse_pickle(std::string_view bytes, std::string_view source, std::size_t offset) {
  if (bytes.size() > 0xffffffff)
    fail(Fault::resource, source, ": a pickle of ", bytes.size(), " bytes; at most 2^32 - 1 are supported");
  return PickleReader(bytes, source, offset).read();
}

}  // namespace gsan
