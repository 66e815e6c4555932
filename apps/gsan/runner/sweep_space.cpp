#include "apps/gsan/runner/sweep_space.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>

#include "gsan/core/check.h"
#include "gsan/core/options.h"
#include "gsan/core/random.h"

namespace gsan::app {
namespace {

constexpr std::size_t most_trials = 10000;

std::vector<std::string> split_values(const std::string& text, const std::string& whole) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ',' && depth == 0) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  for (const std::string& value : values)
    GSAN_CHECK(!value.empty() && depth == 0, "'", whole, "': a value is empty or a bracket is not closed");
  return values;
}

SweepAxis keyed_axis(const char* option, const std::string& text) {
  const std::size_t equals = text.find('=');
  GSAN_CHECK(equals != std::string::npos && equals > 0 && equals + 1 < text.size(), option,
             ": must read key=values, got '", text, "'");
  return {.text = text, .key = text.substr(0, equals)};
}

template <class Number>
std::optional<Number> number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string draw(const SweepAxis& axis, RandomStream stream) {
  if (!axis.choices.empty()) return axis.choices[stream.below(axis.choices.size())];
  // Whole numbers: each stands for the unit around it, so that both ends are as likely as the others.
  const double half = axis.integers ? 0.5 : 0;
  double value = axis.logarithmic
                     ? std::exp(stream.uniform(std::log(axis.low - half), std::log(axis.high + half)))
                     : stream.uniform(axis.low - half, axis.high + half);
  if (axis.integers) value = std::floor(value + 0.5);
  value = std::min(std::max(value, axis.low), axis.high);
  if (axis.integers) return std::to_string(static_cast<std::int64_t>(value));
  char digits[32];  // four are enough to search with, unless they lead out of the range
  std::snprintf(digits, sizeof digits, "%.4g", value);
  const double rounded = *number<double>(digits);
  return axis.low <= rounded && rounded <= axis.high ? digits : options::to_text(value);
}

}  // namespace

SweepAxis parse_grid_axis(const std::string& text) {
  SweepAxis axis = keyed_axis("--grid", text);
  axis.choices = split_values(text.substr(axis.key.size() + 1), "--grid " + text);
  std::set<std::string> seen;
  for (const std::string& value : axis.choices)
    GSAN_CHECK(seen.insert(value).second, "--grid: '", text, "' has the value ", value, " twice");
  return axis;
}

SweepAxis parse_random_axis(const std::string& text) {
  SweepAxis axis = keyed_axis("--random", text);
  std::string values = text.substr(axis.key.size() + 1);
  const std::size_t dots = values.find("..");
  if (dots == std::string::npos) {
    axis.choices = split_values(values, "--random " + text);
    return axis;
  }
  if (values.ends_with(":log")) {
    axis.logarithmic = true;
    values.resize(values.size() - 4);
  }
  const std::string low = values.substr(0, dots), high = values.substr(dots + 2);
  const auto first = number<double>(low), last = number<double>(high);
  GSAN_CHECK(first && last && std::isfinite(*first) && std::isfinite(*last), "--random: '", text,
             "' must read key=low..high, key=low..high:log or key=a,b,c");
  axis.low = *first;
  axis.high = *last;
  axis.integers = number<std::int64_t>(low) && number<std::int64_t>(high);
  GSAN_CHECK(axis.low < axis.high, "--random: '", text, "' goes from ", axis.low, " to ", axis.high,
             "; the lower end must be the smaller one");
  GSAN_CHECK(!axis.logarithmic || axis.low > 0, "--random: '", text,
             "' is logarithmic, so its lower end must be more than 0");
  GSAN_CHECK(!axis.integers || std::abs(axis.low) + std::abs(axis.high) < 0x1p52, "--random: '", text,
             "' has ends that are too large");
  return axis;
}

void SweepSpace::validate() const {
  std::set<std::string> keys;
  std::size_t count = static_cast<std::size_t>(draws);
  for (const auto* axes : {&grid, &random}) {
    for (const SweepAxis& axis : *axes) {
      GSAN_CHECK(keys.insert(axis.key).second, "sweep: the key '", axis.key, "' is varied twice");
      GSAN_CHECK(axis.key != "seed", "sweep: the seed is varied by --seeds N, not by a key");
      if (axes == &grid) count *= axis.choices.size();
      GSAN_CHECK(count <= most_trials, "sweep: the grid has more than ", most_trials, " trials");
    }
  }
}

std::vector<Assignment> SweepSpace::trials() const {
  std::vector<Assignment> points{{}};
  for (const SweepAxis& axis : grid) {
    std::vector<Assignment> longer;
    for (const Assignment& point : points) {
      for (const std::string& value : axis.choices) {
        longer.push_back(point);
        longer.back().emplace_back(axis.key, value);
      }
    }
    points = std::move(longer);
  }
  std::vector<Assignment> all;
  const RandomStream stream(seed, "sweep");
  for (int i = 0; i < draws; ++i) {
    for (Assignment trial : points) {
      for (const SweepAxis& axis : random)
        trial.emplace_back(axis.key,
                           draw(axis, stream.substream(axis.key).substream(static_cast<std::uint64_t>(i))));
      all.push_back(std::move(trial));
    }
  }
  return all;
}

}  // namespace gsan::app
