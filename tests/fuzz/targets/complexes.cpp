// Formats of one complex: parsed within small limits; the result holds together, and reads back when it is
// printed. The first byte sets the options.

#include "gsan/data/formats/read_complex.h"

#include "target.h"

namespace gsan::fuzz {
namespace {

void check_file(const ComplexFile& file) {
  const ListedComplex& listed = file.listed;
  MUST(listed.labels.size() == listed.complex.count(0));
  MUST(static_cast<int>(listed.lists.size()) == listed.complex.order() + 1);
  MUST(file.values.size() == listed.lists.size());
  for (int k = 0; k <= listed.complex.order(); ++k) {
    const ListedSimplices& list = listed.list(k);
    MUST(list.signs.size() == list.rows.size());
    MUST(list.vertices.size() == list.rows.size() * (static_cast<std::size_t>(k) + 1));
    for (const Index row : list.rows) MUST(row >= 0 && row < listed.complex.count(k));
    const Signal& values = file.values[static_cast<std::size_t>(k)];
    MUST(values.values.size() == values.rows * values.columns);
  }
}

ReadOptions options_of(unsigned char byte) {
  ReadOptions options;
  options.limits.max_simplices = (byte & 128) != 0 ? 400 : 60;  // small ones are read much faster
  options.limits.max_memory = std::size_t{64} << 20;
  options.skip_degenerate = (byte & 1) != 0;
  options.close_hypergraph = (byte & 2) != 0;
  options.header = static_cast<HeaderRow>((byte >> 2) % 3);
  options.max_order = (byte & 64) != 0 ? 2 : -1;
  return options;
}

// What a file holds, printed by the format itself, unless the format cannot hold it.
std::string printed_by(const ComplexFormat& format, const ComplexFile& file) {
  try {
    return format.print == nullptr ? "" : format.print(file);
  } catch (const Error&) {
    return "";
  }
}

void fuzz_complex(std::string_view name, std::string_view bytes) {
  if (bytes.empty()) return;
  const ReadOptions options = options_of(static_cast<unsigned char>(bytes[0]));
  const ComplexFormat& format = complex_format(name);
  expect_error_or_result([&] {
    const ComplexFile file = format.parse(bytes.substr(1), "fuzzed", options);
    check_file(file);
    if (options.max_order >= 0) return;  // a skeleton is not listed: what is printed has other labels
    const std::string printed = printed_by(format, file);
    if (printed.empty()) return;
    ReadOptions again;
    again.limits = options.limits;
    const ComplexFile read = format.parse(printed, "printed", again);
    MUST(read.listed.labels == file.listed.labels);
    MUST(read.listed.complex.order() == file.listed.complex.order());
    for (int k = 0; k <= file.listed.complex.order(); ++k)
      MUST(read.listed.complex.count(k) == file.listed.complex.count(k));
  });
}

}  // namespace

FUZZ_TARGET(simplices) { fuzz_complex("simplices", bytes); }
FUZZ_TARGET(edges) { fuzz_complex("edges", bytes); }
FUZZ_TARGET(hyperedges) { fuzz_complex("hyperedges", bytes); }
FUZZ_TARGET(points) { fuzz_complex("points", bytes); }
FUZZ_TARGET(hif) { fuzz_complex("hif", bytes); }
FUZZ_TARGET(gudhi) { fuzz_complex("gudhi", bytes); }
FUZZ_TARGET(off) { fuzz_complex("off", bytes); }
FUZZ_TARGET(obj) { fuzz_complex("obj", bytes); }
FUZZ_TARGET(ply) { fuzz_complex("ply", bytes); }

}  // namespace gsan::fuzz
