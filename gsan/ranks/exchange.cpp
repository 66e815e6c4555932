// What ranks exchange, made of one call: all_gather.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "gsan/core/check.h"
#include "gsan/ranks/ranks.h"

namespace gsan {

std::vector<std::string> Ranks::all_gather_texts(const std::string& text) {
  const auto own = static_cast<std::uint64_t>(text.size());
  const std::vector<std::byte> gathered = all_gather(std::as_bytes(std::span(&own, 1)));
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(size()));
  std::memcpy(lengths.data(), gathered.data(), gathered.size());
  std::string padded = text;
  padded.resize(*std::max_element(lengths.begin(), lengths.end()));
  const std::vector<std::byte> all = all_gather(std::as_bytes(std::span(padded)));
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    texts.emplace_back(reinterpret_cast<const char*>(all.data()) + r * padded.size(), lengths[r]);
  return texts;
}

std::string Ranks::broadcast(const std::string& text) {
  return all_gather_texts(is_first() ? text : "").front();
}

bool Ranks::any(bool one) {
  const auto own = static_cast<std::byte>(one);
  const std::vector<std::byte> all = all_gather(std::span(&own, 1));
  return std::find(all.begin(), all.end(), std::byte{1}) != all.end();
}

void Ranks::barrier() { any(false); }

void Ranks::require_same(const std::string& what, const std::string& text) {
  const std::vector<std::string> all = all_gather_texts(text);
  std::string others;
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0]) others += concat(others.empty() ? "" : ", ", name(static_cast<int>(r)));
  GSAN_CHECK(others.empty(), "ranks: ", what, " of ", others, " is not that of ", name(0),
             "; give all ranks the same words and the same files");
}

}  // namespace gsan
