// The restricted pickle reader, and arrays of objects: every value that was read is visited once.

#include "gsan/data/formats/arrays/pickle.h"

#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/arrays/object_npy.h"

#include "target.h"

namespace gsan::fuzz {
namespace {

void visit(const PickleValue& value, int depth, int& budget);

void visit_items(const PickleValue& value, int depth, int& budget) {
  for (std::size_t i = 0; i < value.size() && budget > 0; ++i) {
    if (value.kind() == PickleKind::dict) {
      visit(value.key(i), depth - 1, budget);
      visit(value.value(i), depth - 1, budget);
    } else {
      visit(value[i], depth - 1, budget);
    }
  }
}

// Values may share others any number of times: `budget` ends the walk.
void visit(const PickleValue& value, int depth, int& budget) {
  using enum PickleKind;
  if (depth == 0 || --budget < 0) return;
  switch (value.kind()) {
    case boolean:
      (void)value.boolean();
      break;
    case integer:
      (void)value.integer();
      break;
    case number:
      (void)value.number();
      break;
    case text:
    case PickleKind::bytes:
    case name:
      (void)value.text();
      break;
    case list:
    case tuple:
    case set:
    case dict:
      visit_items(value, depth, budget);
      break;
    case array:
      expect_error_or_result([&] {
        MUST(value.shape().size() <= 64);
        (void)value.type();
        (void)value.fortran_order();
        visit(value.data(), depth - 1, budget);
      });
      break;
    case object:
      expect_error_or_result([&] { visit(value.fields(), depth - 1, budget); });
      break;
    default:
      break;
  }
}

}  // namespace

FUZZ_TARGET(pickle) {
  int budget = 20'000;
  expect_error_or_result([&] {
    visit(is_npy(bytes) ? parse_object_npy(bytes, "fuzzed").items : parse_pickle(bytes, "fuzzed"), 40,
          budget);
  });
}

}  // namespace gsan::fuzz
