#include "apps/gsan/console/signal_sources.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/number.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {
namespace {

// Every simplex needs a value: the given replacement, or an error that names the first one without.
void fill_missing(PlacedSignal& signal, const ListedComplex& listed, std::optional<double> replacement) {
  std::size_t rows = 0, first = 0;
  for (std::size_t i = 0; i < signal.values.rows; ++i) {
    bool missing = false;
    for (double& value : signal.values.row(i)) {
      missing = missing || std::isnan(value);
      if (std::isnan(value) && replacement) value = *replacement;
    }
    if (missing && rows++ == 0) first = i;
  }
  const auto simplex = [&] {
    return listed.labels.text(listed.complex.vertices(signal.list.order, static_cast<Index>(first)));
  };
  GSAN_CHECK(rows == 0 || replacement, signal.source, ": ", rows, " of ", signal.values.rows,
             " simplices of order ", signal.list.order, " have no value, the first is ", simplex(),
             "; list them, or give --missing VALUE");
}

PlacedSignal random_signal_of(const ListedComplex& listed, int k, std::uint64_t seed) {
  RandomStream stream = RandomStream(seed, "decompose").substream(static_cast<std::uint64_t>(k));
  Signal signal = missing_signal(static_cast<std::size_t>(listed.complex.count(k)), 1);
  for (double& value : signal.values) value = stream.normal();
  return {std::move(signal), listed.list(k), concat("random normal values, seed ", seed)};
}

PlacedSignal read_placed(const std::string& path, const ListedComplex& listed, int k, bool allow_missing,
                         bool oriented) {
  const Signal signal = read_signal(path, {.allow_missing = allow_missing});
  try {
    ListedSimplices list = list_of(signal, listed, k);
    return {to_complex_order(signal, list, listed, oriented), std::move(list), path};
  } catch (const Error& error) {
    fail(error.fault(), path, ": ", error.what());
  }
}

}  // namespace

std::vector<std::string> PlacedSignal::columns() const {
  if (!values.names.empty()) return values.names;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < values.columns; ++c) names.push_back(std::to_string(c));
  return names;
}

void SignalSources::add_to(CLI::App& command) {
  command
      .add_option("--signal", files,
                  "CSV or NPY, one row per listed simplex of the order; with --dirac ORDER=FILE, repeated")
      ->type_name("FILE");
  command.add_flag("--unoriented", unoriented,
                   "values belong to sorted vertices: their sign does not follow the listed vertex order");
  command.add_option("--missing", missing, "value of the simplices that have none (default: an error)");
}

void SignalSources::add_seed_to(CLI::App& command) { add_seed(command, seed); }

std::map<int, std::string> SignalSources::by_order(std::optional<int> only_order) const {
  std::map<int, std::string> found;
  for (const std::string& text : files) {
    const std::size_t equals = text.find('=');
    const auto order = parse_integer(text.substr(0, equals == std::string::npos ? 0 : equals));
    GSAN_CHECK(order || only_order, "--signal: with --dirac it must read ORDER=FILE, got '", text, "'");
    GSAN_CHECK(!order || !only_order || *order == *only_order, "--signal: '", text, "' is of order ",
               order.value_or(0), ", but --order ", *only_order, " is decomposed");
    const int k = order ? static_cast<int>(*order) : *only_order;
    GSAN_CHECK(found.emplace(k, order ? text.substr(equals + 1) : text).second, "--signal: order ", k,
               " is given twice");
  }
  return found;
}

std::optional<PlacedSignal> SignalSources::on(const Input& input, int k,
                                              std::optional<int> only_order) const {
  const ListedComplex& listed = input.file.listed;
  const std::map<int, std::string> by = by_order(only_order);
  std::optional<PlacedSignal> placed;
  if (const auto file = by.find(k); file != by.end()) {
    placed = read_placed(file->second, listed, k, missing.has_value(), !unoriented);
  } else if (input.is_example) {
    if (by.empty()) placed = random_signal_of(listed, k, seed);
  } else if (static_cast<std::size_t>(k) < input.file.values.size() && input.file.values[k].columns > 0) {
    placed = {to_complex_order(input.file.values[k], listed, k, !unoriented), listed.list(k),
              concat("the values in ", input.source)};
  }
  if (placed) fill_missing(*placed, listed, missing);
  return placed;
}

}  // namespace gsan::app
