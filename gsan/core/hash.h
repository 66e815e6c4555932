#pragma once
// Two hashes with a fixed definition, so that what is stored today is found tomorrow
// and on every machine: 64 bits to derive keys and names, SHA-256 to recognise files.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace gsan {

/// The finaliser of MurmurHash3: a bijection of 64-bit words that spreads every bit. mix64(0) == 0.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

/// mix64 of the FNV-1a hash of the bytes, whose offset basis is xored with mix64(seed).
/// Not for adversaries.
constexpr std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0) {
  std::uint64_t state = 0xcbf29ce484222325ULL ^ mix64(seed);
  for (const char byte : bytes) state = (state ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return mix64(state);
}

/// SHA-256 (FIPS 180-4) of a stream of bytes: update() any number of times, then digest().
class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view bytes) { update(std::as_bytes(std::span(bytes.data(), bytes.size()))); }

  /// Digest of what was given so far; more may be added afterwards.
  Digest digest() const;
  std::string hex() const;  ///< 64 lower-case digits

 private:
  void compress(const std::byte* block);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};  // the first length_ % 64 bytes are waiting
  std::uint64_t length_ = 0;             // bytes so far
};

std::string sha256_hex(std::string_view bytes);

/// Of a file's content, read in pieces. Fault::io when it cannot be read.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace gsan
