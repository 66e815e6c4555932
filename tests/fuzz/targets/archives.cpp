// Packed bytes: ZIP archives of downloads, gzipped files.

#include "gsan/data/fetch/zip.h"
#include "gsan/data/formats/gzip.h"

#include "target.h"

namespace gsan::fuzz {

FUZZ_TARGET(zip) {
  constexpr std::size_t most = 1 << 20, piece = 1 << 16;
  expect_error_or_result([&] {
    const ZipArchive archive(std::string(bytes), "fuzzed");
    int left = 16;
    for (const ZipMember& member : archive.members()) {
      const std::string inside = "/" + member.name + "/";
      MUST(inside.find("/../") == std::string::npos && member.name[0] != '/');
      if (--left < 0) break;
      std::size_t got = 0;
      try {
        archive.extract(member, most, [&](std::string_view part) { got += part.size(); });
        MUST(got == member.size);
      } catch (const Error&) {
        MUST(got <= most + piece);
      }
    }
  });
}

FUZZ_TARGET(gzip) {
  constexpr std::size_t most = 1 << 20;
  expect_error_or_result(
      [&] { MUST(unpacked(std::string(bytes), "fuzzed", most).size() <= std::max(most, bytes.size())); });
}

}  // namespace gsan::fuzz
