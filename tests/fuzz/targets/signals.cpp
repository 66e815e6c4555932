// Tables of values, text or NPY: what was read is printed and read back; and brought into the order of a
// complex.

#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/signal_csv.h"

#include "target.h"

namespace gsan::fuzz {
namespace {

bool same_or_missing(double a, double b) { return a == b || (a != a && b != b); }

}  // namespace

FUZZ_TARGET(npy) {
  expect_error_or_result([&] {
    const NpyArray array = parse_npy_array(bytes, "fuzzed");
    std::size_t product = 1;
    bool overflows = false;
    for (const std::size_t size : array.shape) overflows |= __builtin_mul_overflow(product, size, &product);
    MUST(overflows || product == array.values.size());
  });
}

FUZZ_TARGET(signal) {
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes[0]);
  const SignalOptions options{(choice & 1) != 0, static_cast<HeaderRow>((choice >> 2) % 3)};
  expect_error_or_result([&] {
    const Signal signal = parse_signal(bytes.substr(1), "fuzzed", options);
    MUST(signal.values.size() == signal.rows * signal.columns);
    MUST(signal.simplices.size() == signal.rows * signal.vertex_columns);
    std::string printed;
    try {
      printed = print_signal_csv(signal);
    } catch (const Error&) {
      return;
    }
    const Signal again = parse_signal_csv(printed, "printed", {true, HeaderRow::automatic});
    MUST(again.rows == signal.rows && again.simplices == signal.simplices);
    for (std::size_t i = 0; i < signal.values.size(); ++i)
      MUST(same_or_missing(again.values[i], signal.values[i]));
  });
}

FUZZ_TARGET(signal_order) {
  const std::string_view simplices = next_part(bytes);
  ReadOptions options;
  options.limits.max_simplices = 2000;
  expect_error_or_result([&] {
    const ComplexFile file = complex_format("simplices").parse(simplices, "fuzzed", options);
    const Signal signal = parse_signal(bytes, "fuzzed", {true, {}});
    for (int k = 0; k <= file.listed.complex.order(); ++k) {
      expect_error_or_result([&] {
        const ListedSimplices list = list_of(signal, file.listed, k);
        const Signal placed = to_complex_order(signal, list, file.listed, true);
        const Signal back = to_listed_order(placed, list, file.listed, true);
        MUST(back.rows == signal.rows);
        for (std::size_t i = 0; i < signal.values.size(); ++i)
          MUST(same_or_missing(back.values[i], signal.values[i]));
      });
    }
  });
}

}  // namespace gsan::fuzz
