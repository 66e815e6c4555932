// Checkpoints of a run, which need torch: header, tensors, checksum.

#include "gsan/train/checkpoint.h"

#include "target.h"

namespace gsan::fuzz {

FUZZ_TARGET(checkpoint) {
  const std::string path = input_file(bytes);
  expect_error_or_result([&] { (void)read_newest_checkpoint(path); });
}

}  // namespace gsan::fuzz
