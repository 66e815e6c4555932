// The three files of one dataset in Benson's format, cut at the byte 0xFF.

#include "gsan/data/formats/text/benson.h"

#include "target.h"

namespace gsan::fuzz {

FUZZ_TARGET(benson) {
  const std::string_view counts = next_part(bytes), simplices = next_part(bytes), times = bytes;
  ReadOptions options;
  options.limits.max_simplices = 3000;
  expect_error_or_result([&] {
    const BensonFiles files{"counts", "simplices",
                            times.empty() ? std::nullopt : std::optional<std::filesystem::path>("times")};
    const ComplexFile file = parse_benson(
        files,
        [&](const std::filesystem::path& path) {
          return std::string(path == "counts" ? counts : path == "simplices" ? simplices : times);
        },
        options);
    MUST(file.values.size() == file.listed.lists.size());
  });
}

}  // namespace gsan::fuzz
