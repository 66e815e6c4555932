#pragma once
// Files as users keep them, packed by gzip or not.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gsan {

/// What a packed file may hold at most: a small one can unpack to a thousand times its size.
inline constexpr std::size_t max_unpacked_bytes = std::size_t{2} << 30;

/// Does it begin like a gzip file?
bool is_gzip(std::string_view bytes);

/// The content of a gzip file of one or more members; other bytes as they are. Damaged or cut is
/// Fault::format, more than `max_bytes` Fault::resource before it is held in memory.
std::string unpacked(std::string bytes, std::string_view source, std::size_t max_bytes = max_unpacked_bytes);

/// The unpacked content of a file.
std::string read_unpacked(const std::filesystem::path& path);

/// "a.csv" of "a.csv.gz"; other names as they are.
std::string_view without_gz(std::string_view name);

}  // namespace gsan
