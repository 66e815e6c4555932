#include "gsan/models/registry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gsan/core/nearest.h"

namespace gsan {
namespace {

// The name of a function as people write it: hyphens for underscores.
template <std::size_t N>
struct Hyphenated {
  char text[N]{};
  constexpr explicit Hyphenated(const char (&name)[N]) {
    std::transform(name, name + N, text, [](char c) { return c == '_' ? '-' : c; });
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

#define GSAN_PRESET(function, python_class, equation, citation, ...) \
  constexpr Hyphenated name_of_##function(#function);
#include "gsan/models/presets.def"

constexpr Preset table[] = {
#define GSAN_PRESET(function, python_class, equation, citation, ...) \
  {name_of_##function.view(), #python_class, equation, citation, presets::function},
#include "gsan/models/presets.def"
};

}  // namespace

std::span<const Preset> all_presets() { return table; }

const Preset& find_preset(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> known;
  for (const Preset& preset : table) {
    if (preset.name == wanted) return preset;
    known.emplace_back(preset.name);
  }
  fail(Fault::argument, "unknown model '", name, "'; did you mean '", nearest_word(wanted, known),
       "'? `gsan models` lists all of them");
}

}  // namespace gsan
