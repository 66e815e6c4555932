#pragma once
// What a sweep varies: keys of the config with the values that they take.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gsan::app {

/// One key. A list of values, or a range that is drawn from.
struct SweepAxis {
  std::string text;  ///< as it was given: key=a,b,c or key=low..high:log
  std::string key;
  std::vector<std::string> choices{};  ///< empty: a range
  double low = 0, high = 0;
  bool logarithmic = false, integers = false;
};

/// "key=a,b,c"; commas inside of brackets belong to a value: "model.widths=[16],[16,16]".
SweepAxis parse_grid_axis(const std::string& text);

/// "key=low..high" (uniform; integers where both ends are), "key=low..high:log" (uniform in the logarithm),
/// "key=a,b,c".
SweepAxis parse_random_axis(const std::string& text);

/// Keys and values that make a trial out of the base.
using Assignment = std::vector<std::pair<std::string, std::string>>;

struct SweepSpace {
  std::vector<SweepAxis> grid, random;
  int draws = 1;           ///< of the random keys, for every point of the grid
  std::uint64_t seed = 0;  ///< of the draws

  /// One error when a key is given twice or there are more trials than a sweep may have.
  void validate() const;

  /// Every point of the grid, for every draw; more draws only add trials at the end. Draw i of a key depends
  /// on the seed, i and the key alone.
  std::vector<Assignment> trials() const;
};

}  // namespace gsan::app
