#include "gsan/data/transformed.h"

#include <cstdlib>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/hash.h"
#include "gsan/core/make_folder.h"
#include "gsan/data/fetch/cache.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view magic = "gsan transformed data 2\n";
constexpr std::size_t sum_size = 64;

bool is_off() {
  const char* value = std::getenv("GSAN_NO_CACHE");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

fs::path folder() { return cache_root() / "transformed"; }

}  // namespace

std::string transformed_key(const std::string& kind, const std::string& settings, const DataHashes& sources) {
  Sha256 sum;
  const auto add = [&](std::string_view text) { sum.update(concat(text.size(), ":", text, "\n")); };
  add(magic);
  add(kind);
  add(settings);
  for (const auto& [name, sha256] : sources) {
    add(fs::path(name).filename().string());  // it says what the bytes mean, and what the data are called
    add(sha256);
  }
  return sum.hex();
}

std::optional<std::string> read_transformed(const std::string& key) {
  if (is_off()) return std::nullopt;
  try {
    const fs::path path = folder() / key;
    if (!fs::exists(path)) return std::nullopt;
    std::string bytes = read_file(path);
    if (bytes.size() < magic.size() + sum_size || !bytes.starts_with(magic)) return std::nullopt;
    const std::string sum = bytes.substr(bytes.size() - sum_size);
    bytes.resize(bytes.size() - sum_size);
    if (sha256_hex(bytes) != sum) return std::nullopt;
    return bytes.substr(magic.size());
  } catch (const Error&) {
  } catch (const fs::filesystem_error&) {
  }
  return std::nullopt;
}

bool write_transformed(const std::string& key, std::string content) {
  if (is_off()) return false;
  try {
    make_folder(folder());
    content.insert(0, magic);
    content += sha256_hex(content);
    write_file_atomically(folder() / key, content);
    return true;
  } catch (const Error&) {
  } catch (const fs::filesystem_error&) {
  }
  return false;
}

}  // namespace gsan
