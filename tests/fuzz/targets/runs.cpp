// Files of a run, which need torch: manifest, record, metrics, checkpoint.

#include "gsan/train/checkpoint.h"
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

FUZZ_TARGET(checkpoint) {
  const std::string path = input_file(bytes);
  expect_error_or_result([&] { (void)read_newest_checkpoint(path); });
}

}  // namespace gsan::fuzz
