#include "gsan/core/hash.h"

#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

#include "support/temporary_folder.h"

namespace gsan {
namespace {

TEST(Hash64, IsTheMixedFnv1a) {
  // Offset basis and "a", "foobar" of the FNV authors' test suite.
  EXPECT_EQ(hash64(""), mix64(0xcbf29ce484222325ULL));
  EXPECT_EQ(hash64("a"), mix64(0xaf63dc4c8601ec8cULL));
  EXPECT_EQ(hash64("foobar"), mix64(0x85944171f73967e8ULL));
  EXPECT_EQ(mix64(1), 0xb456bcfc34c2cb2cULL);  // MurmurHash3's fmix64
}

TEST(Hash64, SeedAndEveryByteMatter) {
  std::set<std::uint64_t> seen;
  for (int seed = 0; seed < 4; ++seed) {
    for (int byte = 0; byte < 256; ++byte) {
      seen.insert(hash64(std::string{static_cast<char>(byte), 'x'}, static_cast<std::uint64_t>(seed)));
      seen.insert(hash64(std::string{'x', static_cast<char>(byte), '\0'}, static_cast<std::uint64_t>(seed)));
    }
  }
  EXPECT_EQ(seen.size(), 4u * 512);
}

// FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, NistVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesAreTheWholeAndDigestDoesNotEndTheStream) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i);
  for (const std::size_t step : {1u, 7u, 55u, 63u, 64u, 65u, 128u}) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += step) {
      hash.update(std::string_view(text).substr(at, step));
      const std::size_t done = std::min(text.size(), at + step);
      ASSERT_EQ(hash.hex(), sha256_hex(std::string_view(text).substr(0, done)));
    }
  }
}

TEST(Sha256, OfAFile) {
  const TemporaryFolder folder;
  const std::string text(200000, 'q');
  std::ofstream(folder / "a.bin", std::ios::binary) << text;
  std::ofstream(folder / "empty");
  EXPECT_EQ(sha256_file(folder / "a.bin"), sha256_hex(text));
  EXPECT_EQ(sha256_file(folder / "empty"), sha256_hex(""));
  for (const auto& bad : {folder / "missing", folder.path()}) {
    try {
      sha256_file(bad);
      FAIL() << "no error for " << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::io);
      EXPECT_NE(std::string(error.what()).find(bad.string()), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace gsan
