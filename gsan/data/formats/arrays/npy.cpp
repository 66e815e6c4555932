#include "gsan/data/formats/arrays/npy.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/arrays/detail/npy_header.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {
namespace {

constexpr std::uint64_t max_columns = 1 << 20;
constexpr std::uint64_t max_empty_rows = 1
                                         << 20;  // rows without values, which no byte of the file stands for

double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) {
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  }
  return bits & 0x8000 ? -value : value;
}

// Sets `exact` to false where float64 may not hold the integer.
template <class T>
double load_integer(const char* at, ByteOrder order, bool& exact) {
  const T value = load_bytes<T>(at, order);
  if constexpr (sizeof(T) == 8) {
    constexpr auto limit = std::int64_t{1} << 53;
    exact = std::is_signed_v<T>
                ? static_cast<std::int64_t>(value) >= -limit && static_cast<std::int64_t>(value) <= limit
                : static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(limit);
  }
  return static_cast<double>(value);
}

double load_value(const char* at, const NpyHeader& header, bool& exact) {
  const ByteOrder order = header.byte_order;
  switch (header.kind) {
    case 'f':
      if (header.item_size == 2) return half_to_double(load_bytes<std::uint16_t>(at, order));
      return header.item_size == 4 ? static_cast<double>(load_bytes<float>(at, order))
                                   : load_bytes<double>(at, order);
    case 'i':
      if (header.item_size == 1) return load_bytes<std::int8_t>(at, order);
      if (header.item_size == 2) return load_bytes<std::int16_t>(at, order);
      if (header.item_size == 4) return load_bytes<std::int32_t>(at, order);
      return load_integer<std::int64_t>(at, order, exact);
    case 'u':
      if (header.item_size == 1) return load_bytes<std::uint8_t>(at, order);
      if (header.item_size == 2) return load_bytes<std::uint16_t>(at, order);
      if (header.item_size == 4) return load_bytes<std::uint32_t>(at, order);
      return load_integer<std::uint64_t>(at, order, exact);
    default:
      return load_bytes<std::uint8_t>(at, order) != 0;
  }
}

std::string shape_text(const NpyHeader& header) {
  return "(" + joined(header.shape) + (header.shape.size() == 1 ? ",)" : ")");
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(npy_magic); }

NpyArray parse_npy_array(std::string_view bytes, std::string_view source) {
  const NpyHeader header = parse_npy_header(bytes, source);
  const std::size_t dimensions = header.shape.size();
  if (dimensions == 0 || dimensions > 3) {
    fail(Fault::format, source, ": an array must have one to three dimensions, this one has the shape ",
         shape_text(header));
  }
  std::uint64_t row = 1;  // values per entry of the first dimension
  for (std::size_t d = 1; d < dimensions; ++d) {
    if (header.shape[d] > max_columns || row * header.shape[d] > max_columns) {
      fail(Fault::resource, source, ": at most ", max_columns, " columns, the shape is ", shape_text(header));
    }
    row *= header.shape[d];
  }
  // In this order nothing overflows: the number of rows that fit is computed by division.
  const std::string_view data = bytes.substr(header.data_offset);
  const std::uint64_t rows = header.shape[0], row_size = row * header.item_size;
  if (row_size == 0 ? !data.empty() : data.size() % row_size != 0 || data.size() / row_size != rows) {
    fail(Fault::format, source, ": the shape ", shape_text(header), " with ", header.item_size,
         " bytes per value does not match the ", data.size(),
         " bytes after the header; the file is truncated or damaged");
  }
  NpyArray array{{header.shape.begin(), header.shape.end()}, {}};
  if (row == 0) {
    if (rows > max_empty_rows)
      fail(Fault::format, source, ": the shape ", shape_text(header), " claims ", rows,
           " rows without a value; at most ", max_empty_rows, " are read");
    return array;
  }
  array.values.resize(rows * row);
  // Steps through the file, in values, of each dimension.
  std::vector<std::size_t> steps(dimensions, 1);
  for (std::size_t d = 1; d < dimensions; ++d) {
    if (header.fortran_order) {
      steps[d] = steps[d - 1] * header.shape[d - 1];
    } else {
      for (std::size_t before = 0; before < d; ++before) steps[before] *= header.shape[d];
    }
  }
  bool exact = true;
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    std::size_t at = 0, rest = i;
    for (std::size_t d = dimensions; d-- > 0; rest /= header.shape[d])
      at += rest % header.shape[d] * steps[d];
    array.values[i] = load_value(data.data() + at * header.item_size, header, exact);
    if (!exact) {
      fail(Fault::format, source, ": row ", i / row, ", column ", i % row,
           ": the integer is beyond 2^53, too large for float64");
    }
  }
  return array;
}

Signal parse_npy(std::string_view bytes, std::string_view source, const SignalOptions& options) {
  const NpyHeader header = parse_npy_header(bytes, source);
  if (header.shape.empty() || header.shape.size() > 2) {
    fail(Fault::format, source, ": a signal is an array [N] or [N, F], this one has the shape ",
         shape_text(header));
  }
  NpyArray array = parse_npy_array(bytes, source);
  Signal signal;
  signal.rows = array.shape[0];
  signal.columns = array.shape.size() == 2 ? array.shape[1] : 1;
  signal.values = std::move(array.values);
  check_values(signal, options, source);
  return signal;
}

std::string print_npy(const Signal& signal) {
  std::string dictionary = concat("{'descr': '<f8', 'fortran_order': False, 'shape': (", signal.rows, ", ",
                                  signal.columns, "), }");
  const std::size_t prefix = npy_magic.size() + 4;
  dictionary.append(63 - (prefix + dictionary.size()) % 64, ' ');  // the values begin at a multiple of 64
  dictionary += '\n';
  std::string bytes(npy_magic);
  bytes += {1, 0, static_cast<char>(dictionary.size() & 255), static_cast<char>(dictionary.size() >> 8)};
  bytes += dictionary;
  const std::size_t start = bytes.size();
  bytes.resize(start + signal.values.size() * sizeof(double));
  for (std::size_t i = 0; i < signal.values.size(); ++i) {
    const auto value =
        load_bytes<double>(reinterpret_cast<const char*>(&signal.values[i]), ByteOrder::little);
    std::memcpy(bytes.data() + start + i * sizeof(double), &value, sizeof(double));
  }
  return bytes;
}

}  // namespace gsan
