// Files of a run folder: manifest, record, metrics, TensorBoard events.

#include "gsan/core/atomic_file.h"
#include "gsan/train/events.h"
#include "gsan/train/manifest.h"
#include "gsan/train/metrics_log.h"
#include "gsan/train/run_record.h"

#include "target.h"

namespace gsan::fuzz {

FUZZ_TARGET(manifest) {
  const std::string path = input_file(bytes);
  expect_error_or_result([&] { (void)read_manifest(path); });
}

FUZZ_TARGET(record) {
  expect_error_or_result([&] {
    const RunRecord record = parse_record(std::string(bytes), "fuzzed");
    (void)parse_record(record_text(record), "printed");
  });
}

FUZZ_TARGET(metrics) {
  const std::string path = input_file(bytes);
  expect_error_or_result([&] { (void)read_metrics(path); });
}

// Records between bytes 0xFF get the sums that no fuzzer guesses; what follows the last one stays as it is.
// What is left of a file that was cut is its beginning, and is cut no further.
FUZZ_TARGET(events) {
  std::string file;
  const auto add = [&](auto number) { file.append(reinterpret_cast<const char*>(&number), sizeof number); };
  const auto add_sum = [&](std::string_view of) {
    const std::uint32_t crc = crc32c(of);
    add(static_cast<std::uint32_t>(((crc >> 15) | (crc << 17)) + 0xa282ead8U));
  };
  while (bytes.find('\xff') != std::string_view::npos) {
    const std::string_view record = next_part(bytes);
    const std::size_t begin = file.size();
    add(std::uint64_t{record.size()});
    add_sum(std::string(file, begin));
    file += record;
    add_sum(record);
  }
  file += bytes;
  const std::string path = input_file(file);
  expect_error_or_result([&] {
    cut_events(path, 2);
    const std::string left = read_file(path);
    MUST(file.starts_with(left));
    cut_events(path, 2);
    MUST(read_file(path) == left);
  });
}

}  // namespace gsan::fuzz
