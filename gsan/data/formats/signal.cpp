#include "gsan/data/formats/signal.h"

#include <cmath>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/gzip.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/signal_csv.h"

namespace gsan {

Signal missing_signal(std::size_t rows, std::size_t columns, std::vector<std::string> names) {
  Signal signal{rows, columns, {}, std::move(names), {}, 0};
  signal.values.assign(rows * columns, std::numeric_limits<double>::quiet_NaN());
  return signal;
}

std::string column_name(const Signal& signal, std::size_t c) {
  return c < signal.names.size() ? " (" + in_quotes(signal.names[c]) + ")" : "";
}

void check_values(const Signal& signal, const SignalOptions& options, std::string_view source) {
  for (std::size_t i = 0; i < signal.values.size(); ++i) {
    const double value = signal.values[i];
    if (std::isfinite(value) || (options.allow_missing && std::isnan(value))) continue;
    const std::size_t c = i % signal.columns;
    fail(Fault::format, source, ": row ", i / signal.columns, ", column ", c, column_name(signal, c), ": ",
         std::isnan(value) ? "NaN is not a value; fill it in, or read the file with missing values allowed"
                           : "the value must be finite, got an infinity");
  }
}

Signal parse_signal(std::string_view bytes, std::string_view source, const SignalOptions& options) {
  return is_npy(bytes) ? parse_npy(bytes, source, options) : parse_signal_csv(bytes, source, options);
}

Signal read_signal(const std::string& path, const SignalOptions& options) {
  const std::string bytes = read_unpacked(path);
  if (without_gz(path).ends_with(".npy")) return parse_npy(bytes, path, options);
  return parse_signal(bytes, path, options);
}

}  // namespace gsan
