#include "gsan/core/hash.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "gsan/core/check.h"

namespace gsan {
namespace {

constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::compress(const std::byte* block) {
  std::array<std::uint32_t, 64> w;
  for (int t = 0; t < 16; ++t) {
    w[t] = 0;
    for (int i = 0; i < 4; ++i) w[t] = w[t] << 8 | std::to_integer<std::uint32_t>(block[4 * t + i]);
  }
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int t = 0; t < 64; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> round{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state_[i] += round[i];
}

void Sha256::update(std::span<const std::byte> bytes) {
  std::size_t waiting = length_ % 64;
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (waiting == 0 && bytes.size() >= 64) {
      compress(bytes.data());
      bytes = bytes.subspan(64);
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), 64 - waiting);
    std::memcpy(pending_.data() + waiting, bytes.data(), taken);
    bytes = bytes.subspan(taken);
    waiting = (waiting + taken) % 64;
    if (waiting == 0) compress(pending_.data());
  }
}

Sha256::Digest Sha256::digest() const {
  // Padding: a one bit, zeros up to 56 mod 64 bytes, the length in bits as 8 bytes.
  Sha256 last = *this;
  std::array<std::byte, 72> padding{std::byte{0x80}};
  const std::size_t zeros_end = 1 + (119 - length_ % 64) % 64;
  for (int i = 0; i < 8; ++i) padding[zeros_end + i] = static_cast<std::byte>(length_ * 8 >> (56 - 8 * i));
  last.update(std::span(padding).first(zeros_end + 8));
  Digest digest;
  for (int i = 0; i < 32; ++i)
    digest[i] = static_cast<std::uint8_t>(last.state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string Sha256::hex() const {
  std::string text;
  for (const std::uint8_t byte : digest()) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  Sha256 hash;
  std::array<char, 1 << 16> piece;
  while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0) {
    hash.update(std::string_view(piece.data(), static_cast<std::size_t>(stream.gcount())));
  }
  if (!stream.eof()) {
    fail(Fault::io, "cannot read ", path, ": ", std::generic_category().message(errno));
  }
  return hash.hex();
}

}  // namespace gsan
