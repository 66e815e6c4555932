#include "gsan/train/events.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = (table[i] >> 1) ^ (table[i] & 1 ? 0x82f63b78U : 0U);
  }
  return table;
}();

// A CRC of data that holds CRCs is weak; so TFRecord stores it rotated, plus a constant.
std::uint32_t masked_crc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

template <class Number>
std::string raw(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class Number>
Number from_raw(std::string_view bytes) {
  Number value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

enum class Wire { varint = 0, fixed64 = 1, length = 2, fixed32 = 5 };

std::string field(int number, Wire wire, const std::string& content) {
  const std::string key(1, static_cast<char>(number << 3 | static_cast<int>(wire)));
  return key + (wire == Wire::length ? varint(content.size()) + content : content);
}

std::string framed(const std::string& record) {
  const std::string length = raw<std::uint64_t>(record.size());
  return length + raw(masked_crc(length)) + record + raw(masked_crc(record));
}

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// Of an event as written here; 0 where it names none (as protocol buffers do).
std::int64_t step_of(std::string_view event) {
  while (!event.empty()) {
    const std::uint64_t key = take_varint(event);
    if (key == (2 << 3)) return static_cast<std::int64_t>(take_varint(event));
    std::uint64_t skip = 0;
    switch (static_cast<Wire>(key & 7)) {
      case Wire::varint:
        take_varint(event);
        break;
      case Wire::fixed64:
        skip = 8;
        break;
      case Wire::length:
        skip = take_varint(event);
        break;
      case Wire::fixed32:
        skip = 4;
        break;
    }
    event.remove_prefix(std::min<std::uint64_t>(skip, event.size()));
  }
  return 0;
}

// The record at the front of `bytes`; none when it is not complete and sound.
std::optional<std::string_view> front_record(std::string_view bytes) {
  constexpr std::size_t head = 12, tail = 4;
  if (bytes.size() < head + tail) return {};
  const auto length = from_raw<std::uint64_t>(bytes);
  if (from_raw<std::uint32_t>(bytes.substr(8)) != masked_crc(bytes.substr(0, 8))) return {};
  if (length > bytes.size() - head - tail) return {};
  const std::string_view record = bytes.substr(head, length);
  if (from_raw<std::uint32_t>(bytes.substr(head + length)) != masked_crc(record)) return {};
  return record;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) crc = (crc >> 8) ^ crc_table[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~crc;
}

EventWriter::EventWriter(const fs::path& path) : file_(path) {
  if (file_.size() > 0) return;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  file_.append(framed(field(1, Wire::fixed64, raw(now.count())) + field(3, Wire::length, "brain.Event:2")));
}

void EventWriter::add(std::int64_t step, double wall_time, const Metrics& scalars) {
  std::string summary;
  for (const auto& [name, value] : scalars) {
    std::string tag = name;
    if (const auto dot = tag.find('.'); dot != std::string::npos) tag[dot] = '/';
    summary += field(1, Wire::length,
                     field(1, Wire::length, tag) + field(2, Wire::fixed32, raw(static_cast<float>(value))));
  }
  file_.append(framed(field(1, Wire::fixed64, raw(wall_time)) +
                      field(2, Wire::varint, varint(static_cast<std::uint64_t>(step))) +
                      field(5, Wire::length, summary)));
}

void cut_events(const fs::path& path, std::int64_t step) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  const std::string bytes = read_file(path);
  std::size_t keep = 0;
  while (const auto record = front_record(std::string_view(bytes).substr(keep))) {
    const bool is_version = keep == 0;
    if (!is_version && step_of(*record) >= step) break;
    keep += record->size() + 16;
  }
  if (keep < bytes.size()) {
    if (fails_at("events.cut"))
      error = {errno, std::generic_category()};
    else
      fs::resize_file(path, keep, error);
  }
  if (error) fail(Fault::io, "cannot shorten ", path, ": ", error.message());
}

}  // namespace gsan
